import '@ui5/webcomponents/dist/Button.js';
import { css, html, LitElement, unsafeCSS, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';

import type { Chart } from '../../../src/charts/chart.ts';
import { chartStyles } from '../../../src/charts/chart-styles.ts';
import { t } from '../texts/texts.ts';
import { pageStyles } from './styles.ts';

/** Draws a chart at the width it has, under its title, and shows the same figures as a table on demand. */
class ChartFigure extends LitElement {
  static override styles = [
    pageStyles,
    unsafeCSS(chartStyles),
    css`
      figure {
        margin: 0;
        display: grid;
        gap: 0.5rem;
        grid-template-columns: minmax(0, 1fr);
      }
      figcaption {
        display: flex;
        gap: 1rem;
        justify-content: space-between;
        align-items: flex-start;
      }
      ui5-button {
        flex: none;
      }
    `,
  ];
  static override properties = {
    draw: { attribute: false },
    width: { state: true },
    asTable: { state: true },
  };
  declare draw: (width: number) => Chart;
  declare protected width: number;
  declare protected asTable: boolean;
  readonly #observer = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width > 0) this.width = width;
  });

  constructor() {
    super();
    this.width = 0;
    this.asTable = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer.disconnect();
  }

  override render(): TemplateResult {
    if (this.width === 0) return html``;
    const chart = this.draw(this.width);
    return html`<figure>
      <figcaption>
        <h3>${chart.title}</h3>
        <ui5-button design="Transparent" @click=${() => (this.asTable = !this.asTable)}
          >${this.asTable ? t('showChart') : t('showTable')}</ui5-button
        >
      </figcaption>
      ${this.asTable ? renderTable(chart) : html`<div>${unsafeHTML(chart.svg)}</div>`}
    </figure>`;
  }
}

function renderTable({ title, table }: Chart): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${title}>
    <table>
      <thead>
        <tr>
          ${table.columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${table.rows.map(
          ([head, ...cells]) =>
            html`<tr>
              <th scope="row">${head}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

customElements.define('ge-chart', ChartFigure);
