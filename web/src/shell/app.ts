import '@ui5/webcomponents/dist/Select.js';
import '@ui5/webcomponents/dist/Option.js';
import '@ui5/webcomponents/dist/Label.js';
import type Select from '@ui5/webcomponents/dist/Select.js';
import { html, LitElement, type TemplateResult } from 'lit';
import { html as staticHtml, unsafeStatic } from 'lit/static-html.js';

import { chooseLanguage, language, t, type Language, type TextKey } from '../texts/texts.ts';
import { loadPage } from './pages.ts';
import { findRoute, followLinks, onNavigation, pathTo, type Route } from './router.ts';
import { chosenTheme, chooseTheme, themes, type Theme } from './themes.ts';

const themeNames: Readonly<Record<Theme, TextKey>> = {
  system: 'themeSystem',
  light: 'themeLight',
  dark: 'themeDark',
  hcb: 'themeHcb',
  hcw: 'themeHcw',
};

/** The frame of all pages: bar, page, footer. */
class App extends LitElement {
  static override properties = { route: { state: true }, tag: { state: true } };
  declare protected route: Route;
  declare protected tag: string | undefined;

  constructor() {
    super();
    this.route = findRoute(location);
    this.tag = undefined;
    onNavigation(() => void this.#go({ isFirst: false }));
    this.addEventListener('click', followLinks);
    void this.#go({ isFirst: true });
  }

  async #go({ isFirst }: { readonly isFirst: boolean }): Promise<void> {
    const route = findRoute(location);
    const isOtherPage = location.pathname !== this.#path;
    this.#path = location.pathname;
    const tag = await loadPage(route.page);
    if (location.pathname !== this.#path) return;
    this.tag = tag;
    this.route = route;
    if (isFirst || !isOtherPage) return;
    scrollTo(0, 0);
    await this.updateComplete;
    // The focus goes where the reader goes: whoever hears the page starts at its content.
    this.querySelector<HTMLElement>('main')?.focus();
  }
  #path = '';

  /** In the document itself, so that the skip link and everybody else finds the main part. */
  protected override createRenderRoot(): this {
    return this;
  }

  override render(): TemplateResult {
    return html`<header>
        <a class="skip" href="#main" @click=${this.#skip}>${t('skipToContent')}</a>
        <a class="brand" href=${pathTo([])}><img src="/ui/icon.svg" alt="" />grounding-eval</a>
      </header>
      <main id="main" tabindex="-1">${this.#page()}</main>
      <footer>
        <span
          ><ui5-label for="theme" show-colon>${t('theme')}</ui5-label>
          <ui5-select id="theme" accessible-name=${t('theme')} @change=${this.#pickTheme}>
            ${themes.map(
              (theme) =>
                html`<ui5-option value=${theme} ?selected=${theme === chosenTheme()}
                  >${t(themeNames[theme])}</ui5-option
                >`,
            )}
          </ui5-select></span
        >
        <span
          ><ui5-label for="language" show-colon>${t('language')}</ui5-label>
          <ui5-select id="language" accessible-name=${t('language')} @change=${this.#pickLanguage}>
            <ui5-option value="en" ?selected=${language === 'en'}>English</ui5-option>
            <ui5-option value="de" ?selected=${language === 'de'}>Deutsch</ui5-option>
          </ui5-select></span
        >
        <a href="/docs">${t('apiDocs')}</a>
      </footer>`;
  }

  #page(): TemplateResult {
    if (this.tag === undefined) return html``;
    const tag = unsafeStatic(this.tag);
    return staticHtml`<${tag} .route=${this.route}></${tag}>`;
  }

  #skip(event: Event): void {
    event.preventDefault();
    this.querySelector<HTMLElement>('main')?.focus();
  }

  #pickTheme(event: Event): void {
    void chooseTheme((event.target as Select).value as Theme);
  }

  #pickLanguage(event: Event): void {
    chooseLanguage((event.target as Select).value as Language);
  }
}

customElements.define('ge-app', App);
