import '@ui5/webcomponents/dist/BusyIndicator.js';
import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/Input.js';
import '@ui5/webcomponents/dist/Label.js';
import '@ui5/webcomponents/dist/Tag.js';
import type Input from '@ui5/webcomponents/dist/Input.js';
import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

import { pickHeadline } from '../../../src/charts/headline.ts';
import { api, ask, type Schemas } from '../api/client.ts';
import { Page } from '../parts/page.ts';
import { pick } from '../parts/pick.ts';
import { loadRows, readSelection, type Selection } from '../parts/question-list.ts';
import { nameEvaluation } from '../parts/status.ts';
import { pageStyles } from '../parts/styles.ts';
import { navigate, pathTo } from '../shell/router.ts';
import { formatCount, formatValue, none, t, type TextKey } from '../texts/texts.ts';

export const tag = 'ge-questions-page';

type Row = Schemas['QuestionRow'];

interface Data {
  readonly evaluation: Schemas['Evaluation'];
  readonly table: Schemas['QuestionTable'];
}

const kinds: readonly (readonly [string, TextKey])[] = [
  ['', 'showAll'],
  ['differs', 'showDiffers'],
  ['nothing-found', 'showNothingFound'],
  ['unjudged', 'showUnjudged'],
  ['failed', 'showFailed'],
  ['leaks', 'showLeaks'],
];
const orders: readonly (readonly [string, TextKey])[] = [
  ['worst', 'sortWorst'],
  ['difference', 'sortDifference'],
  ['position', 'sortPosition'],
];
const attributes = ['kind', 'process', 'language', 'split'] as const;

/** After the last key, so that typing does not wait for answers. */
const typingMs = 250;

class QuestionsPage extends Page<Data> {
  static override styles = [
    pageStyles,
    css`
      .controls {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1rem;
        align-items: end;
      }
      .controls > div {
        display: grid;
        gap: 0.25rem;
      }
      .text {
        min-width: 16rem;
      }
      small {
        color: var(--sapContent_LabelColor);
      }
      td small {
        display: block;
      }
    `,
  ];
  static override properties = { more: { state: true }, cursor: { state: true } };
  declare protected more: readonly Row[];
  declare protected cursor: string | null;
  #evaluation: Schemas['Evaluation'] | undefined;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #isLoadingMore = false;
  readonly #end = new IntersectionObserver(([entry]) => {
    if (entry?.isIntersecting === true) void this.#loadMore();
  });

  constructor() {
    super();
    this.more = [];
    this.cursor = null;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#end.disconnect();
  }

  protected override heading({ evaluation }: Data): string {
    return t('questionsOf', { name: nameEvaluation(evaluation) });
  }

  get #id(): string {
    return this.route.params['id'] ?? '';
  }

  protected override async load(signal: AbortSignal): Promise<Data> {
    const id = this.#id;
    const evaluation =
      this.#evaluation?.id === id
        ? this.#evaluation
        : await ask(api.GET('/v1/eval/{id}', { params: { path: { id } }, signal }));
    this.#evaluation = evaluation;
    const table = await loadRows(id, this.#selection(evaluation), { signal });
    this.more = [];
    this.cursor = table.nextCursor;
    return { evaluation, table };
  }

  #selection({ measures }: Schemas['Evaluation']): Selection {
    return readSelection(this.route.query, pickHeadline(measures));
  }

  override updated(changed: PropertyValues): void {
    super.updated(changed);
    const end = this.renderRoot.querySelector('#end');
    this.#end.disconnect();
    if (end) this.#end.observe(end);
  }

  async #loadMore(): Promise<void> {
    const { state, cursor } = this;
    if (this.#isLoadingMore || cursor === null || state.kind !== 'ready') return;
    this.#isLoadingMore = true;
    try {
      const selection = this.#selection(state.data.evaluation);
      const next = await loadRows(this.#id, selection, { cursor });
      if (this.cursor !== cursor) return;
      this.more = [...this.more, ...next.items];
      this.cursor = next.nextCursor;
    } finally {
      this.#isLoadingMore = false;
    }
  }

  protected override content({ evaluation, table }: Data): TemplateResult {
    const selection = this.#selection(evaluation);
    const rows = [...table.items, ...this.more];
    return html`<div class="head">
        <div>
          <h1>${this.heading({ evaluation, table })}</h1>
          <p><a href=${pathTo(['evaluations', this.#id])}>${t('backToScorecard')}</a></p>
        </div>
      </div>
      <section class="card" aria-label=${t('questions')}>
        ${this.#controls(evaluation, selection)}
        <p role="status" class="quiet">${t('questionsFound', { count: table.total })}</p>
        <div class="scroll" tabindex="0" role="group" aria-label=${t('questions')}>
          <table>
            <thead>
              <tr>
                <th scope="col" class="sticky">${t('question')}</th>
                ${table.configurations.map(
                  (name) => html`<th scope="col" class="number">${name}</th>`,
                )}
              </tr>
            </thead>
            <tbody>
              ${repeat(
                rows,
                ({ id }) => id,
                (row) => this.#row(row, table),
              )}
            </tbody>
          </table>
        </div>
        ${
          this.cursor === null
            ? nothing
            : html`<div id="end" class="actions">
                <ui5-button @click=${() => this.#loadMore()}>${t('showMore')}</ui5-button>
                <span class="quiet"
                  >${t('shownOf', { shown: rows.length, total: table.total })}</span
                >
              </div>`
        }
      </section>`;
  }

  #controls(evaluation: Schemas['Evaluation'], selection: Selection): TemplateResult {
    const slices = evaluation.scorecard?.[0]?.slices ?? {};
    return html`<div class="controls">
      <div>
        <ui5-label for="q">${t('search')}</ui5-label>
        <ui5-input
          id="q"
          show-clear-icon
          accessible-name=${t('search')}
          placeholder=${t('searchHint')}
          value=${selection.q ?? ''}
          @input=${(event: Event) => this.#type((event.target as Input).value)}
        ></ui5-input>
      </div>
      ${pick({
        id: 'only',
        text: t('show'),
        value: selection.only ?? '',
        options: kinds.map(([value, key]) => [value, t(key)]),
        change: (only) => this.#set({ only }),
      })}
      ${pick({
        id: 'sort',
        text: t('sort'),
        value: selection.sort,
        options: orders.map(([value, key]) => [value, t(key)]),
        change: (sort) => this.#set({ sort }),
      })}
      ${pick({
        id: 'measure',
        text: t('measure'),
        value: selection.measure,
        options: evaluation.measures.map((name) => [name, name]),
        change: (measure) => this.#set({ measure }),
      })}
      ${attributes.map((name) => {
        const values = Object.keys(slices[name] ?? {}).filter((value) => value !== '(none)');
        if (values.length < 2) return nothing;
        return pick({
          id: name,
          text: name,
          value: selection[name] ?? '',
          options: [['', t('showAll')], ...values.map((value): [string, string] => [value, value])],
          change: (value) => this.#set({ [name]: value }),
        });
      })}
    </div>`;
  }

  #row(row: Row, { configurations, measure }: Schemas['QuestionTable']): TemplateResult {
    const about = [row.kind, row.language, row.split].filter((value) => value !== undefined);
    const query = Object.fromEntries(this.route.query);
    return html`<tr>
      <th scope="row" class="sticky text">
        <a href=${pathTo(['evaluations', this.#id, 'questions', row.id], query)}>${row.text}</a>
        <small>${row.id}${about.length > 0 ? ` · ${about.join(' · ')}` : ''}</small>
      </th>
      ${configurations.map((name) => renderCell(row.configurations[name], measure))}
    </tr>`;
  }

  #type(q: string): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => this.#set({ q: q.trim() }), typingMs);
  }

  #set(changes: Readonly<Record<string, string>>): void {
    const query = { ...Object.fromEntries(this.route.query), ...changes };
    navigate(pathTo(['evaluations', this.#id, 'questions'], query), { replace: true });
  }
}

function renderCell(cell: Schemas['QuestionCell'] | undefined, measure: string): TemplateResult {
  if (!cell) return html`<td class="number">${none}</td>`;
  const { firstRelevantRank: rank, leaks, status } = cell;
  const flags = html`${
    status === 'failed' ? html`<ui5-tag design="Negative">${t('failed')}</ui5-tag>` : nothing
  }
  ${
    leaks > 0
      ? html`<ui5-tag design="Negative">${t('leaksCount', { count: leaks })}</ui5-tag>`
      : nothing
  }
  ${
    status === 'unanswerable' || status === 'unlabelled'
      ? html`<ui5-tag design="Neutral"
          >${t(status === 'unlabelled' ? 'unlabelled' : 'unanswerable')}</ui5-tag
        >`
      : nothing
  }`;
  if (!(measure in cell.measures)) return html`<td class="number">${flags}</td>`;
  return html`<td class="number" title=${cell.measures[measure] ?? none}>
    ${formatValue(cell.measures[measure])}
    <small class=${rank === null ? 'bad' : ''}
      >${rank === null ? t('rankNone') : t('rank', { rank: formatCount(rank) })}</small
    >
    ${flags}
  </td>`;
}

customElements.define(tag, QuestionsPage);
