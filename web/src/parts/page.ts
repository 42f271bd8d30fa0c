import '@ui5/webcomponents/dist/BusyIndicator.js';
import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/MessageStrip.js';
import {
  html,
  LitElement,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';

import { ConnectionError, ProblemError } from '../api/client.ts';
import { pathTo, type Route } from '../shell/router.ts';
import { t } from '../texts/texts.ts';
import { pageStyles } from './styles.ts';

type State<Data> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly data: Data; readonly isStale: boolean }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Milliseconds until a page asks again after the connection was lost. */
const retryMs = [1000, 2000, 5000, 10_000];

/** A page: it loads, shows what it loaded, and says what to do when that fails. */
export abstract class Page<Data> extends LitElement {
  static override styles = [pageStyles];
  static override properties: PropertyDeclarations = {
    route: { attribute: false },
    state: { state: true },
  };

  declare route: Route;
  declare protected state: State<Data>;
  #abort = new AbortController();
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.state = { kind: 'loading' };
  }

  /** What the page shows; rejects as the client does. */
  protected abstract load(signal: AbortSignal): Promise<Data>;
  protected abstract content(data: Data): TemplateResult;
  /** Of the browser's tab; the page's first heading says the same. */
  protected abstract heading(data: Data): string;

  /** Whether another address of this page needs other data. */
  protected needsData(_before: Route): boolean {
    return true;
  }

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has('route')) return;
    const before = changed.get('route') as Route | undefined;
    if (before === undefined || this.needsData(before)) void this.reload();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#abort.abort();
    clearTimeout(this.#timer);
  }

  /** Loads again; what is shown stays until the answer is there. */
  async reload(): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#timer);
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const data = await this.load(abort.signal);
      if (abort.signal.aborted) return;
      this.#attempt = 0;
      this.state = { kind: 'ready', data, isStale: false };
      document.title = `${this.heading(data)} – grounding-eval`;
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const isLost = error instanceof ConnectionError;
    if (isLost) {
      const wait = retryMs[Math.min(this.#attempt, retryMs.length - 1)];
      this.#attempt += 1;
      this.#timer = setTimeout(() => void this.reload(), wait);
    }
    this.state =
      isLost && this.state.kind === 'ready'
        ? { ...this.state, isStale: true }
        : { kind: 'failed', error };
  }

  override render(): TemplateResult {
    const { state } = this;
    if (state.kind === 'loading') {
      return html`<div class="page">
        <ui5-busy-indicator active delay="300" text=${t('loading')}></ui5-busy-indicator>
      </div>`;
    }
    if (state.kind === 'failed') return renderFailure(state.error, () => void this.reload());
    return html`<div class="page">
      ${
        state.isStale
          ? html`<ui5-message-strip design="Critical" hide-close-button
              >${t('connectionLost')}</ui5-message-strip
            >`
          : ''
      }
      ${this.content(state.data)}
    </div>`;
  }
}

function renderFailure(error: unknown, retry: () => void): TemplateResult {
  const { title, detail } = describeFailure(error);
  return html`<div class="page">
    <h1 tabindex="-1">${title}</h1>
    <p role="alert">${detail}</p>
    <div class="actions">
      <ui5-button design="Emphasized" @click=${retry}>${t('tryAgain')}</ui5-button>
      <a href=${pathTo([])}>${t('toHome')}</a>
    </div>
  </div>`;
}

function describeFailure(error: unknown): { readonly title: string; readonly detail: string } {
  if (error instanceof ConnectionError) {
    return { title: t('connectionTitle'), detail: t('connectionLost') };
  }
  if (!(error instanceof ProblemError)) {
    reportError(error);
    return { title: t('failedTitle'), detail: t('failedDetail') };
  }
  if (error.status === 401) return { title: t('signInTitle'), detail: t('signInDetail') };
  if (error.status === 403) return { title: t('forbiddenTitle'), detail: t('forbiddenDetail') };
  if (error.status === 404) return { title: t('missingTitle'), detail: error.message };
  return { title: t('failedTitle'), detail: error.message };
}
