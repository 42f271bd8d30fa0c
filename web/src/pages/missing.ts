import { html, LitElement, type TemplateResult } from 'lit';

import { pageStyles } from '../parts/styles.ts';
import { pathTo } from '../shell/router.ts';
import { t } from '../texts/texts.ts';

export const tag = 'ge-missing-page';

class MissingPage extends LitElement {
  static override styles = [pageStyles];

  override render(): TemplateResult {
    document.title = `${t('missingTitle')} – grounding-eval`;
    return html`<div class="page">
      <h1>${t('missingTitle')}</h1>
      <p>${t('missingDetail')}</p>
      <p><a href=${pathTo([])}>${t('toHome')}</a></p>
    </div>`;
  }
}

customElements.define(tag, MissingPage);
