import { css, html, LitElement, nothing, type TemplateResult } from 'lit';

import type { Schemas } from '../api/client.ts';
import { formatCount, formatMs, formatShare, formatValue, none, t } from '../texts/texts.ts';
import { pageStyles } from './styles.ts';

type Row = Schemas['ScorecardRow'];

export interface TableState {
  /** The column that is sorted by; descending with a `-` before it. */
  readonly sort: string;
  readonly hidden: ReadonlySet<string>;
  /** A slice, or all questions. */
  readonly slice: { readonly dimension: string; readonly value: string } | undefined;
}

/** One row a configuration: means with intervals, share of judged documents, failures, time and cost. */
class ScorecardTable extends LitElement {
  static override styles = [
    pageStyles,
    css`
      small {
        display: block;
        color: var(--sapContent_LabelColor);
      }
      td.best {
        font-weight: 700;
      }
    `,
  ];
  static override properties = {
    rows: { attribute: false },
    measures: { attribute: false },
    state: { attribute: false },
  };
  declare rows: readonly Row[];
  declare measures: readonly string[];
  declare state: TableState;

  override render(): TemplateResult {
    const { state } = this;
    const measures = this.measures.filter((name) => !state.hidden.has(name));
    const rows = sortRows(this.rows, state);
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${t('scorecard')}>
      <table>
        <thead>
          <tr>
            ${this.#head('configuration', t('configuration'), 'sticky')}
            ${measures.map((name) => this.#head(name, name, 'number'))}
            ${
              state.slice
                ? this.#head('questions', t('questions'), 'number')
                : html`${this.#head('failed', t('failed'), 'number')}
                  ${this.#head('leaks', t('leaks'), 'number')}
                  ${this.#head('p50', t('latencyMedian'), 'number')}
                  ${this.#head('p95', t('latencyP95'), 'number')}
                  ${this.#head('searches', t('searches'), 'number')}`
            }
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => this.#row(row, measures))}
        </tbody>
      </table>
    </div>`;
  }

  #head(key: string, text: string, kind: string): TemplateResult {
    const { sort } = this.state;
    const direction = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none';
    const arrow = { ascending: ' ▲', descending: ' ▼', none: '' }[direction];
    return html`<th scope="col" class=${kind} aria-sort=${direction}>
      <button
        class="sort"
        type="button"
        @click=${() => this.#sortBy(direction === 'descending' ? key : `-${key}`)}
      >
        ${text}${arrow}
      </button>
    </th>`;
  }

  #sortBy(sort: string): void {
    this.dispatchEvent(new CustomEvent('sort-by', { detail: sort }));
  }

  #row(row: Row, measures: readonly string[]): TemplateResult {
    const { slice } = this.state;
    const shown = pickSlice(row, slice);
    return html`<tr>
      <th scope="row" class="sticky">${row.configuration}<small>${row.backend}</small></th>
      ${measures.map((name) => {
        const interval = shown.intervals?.[name];
        const isShare = name.startsWith('judged@');
        const value = shown.measures[name];
        return html`<td class="number" title=${value ?? none}>
          ${isShare ? formatShare(value) : formatValue(value)}
          ${
            interval && !isShare
              ? html`<small>${formatValue(interval.low)} – ${formatValue(interval.high)}</small>`
              : nothing
          }
        </td>`;
      })}
      ${
        slice
          ? html`<td class="number">
              ${shown.questions === undefined ? none : formatCount(shown.questions)}
            </td>`
          : html`<td class="number ${row.questions.failed > 0 ? 'bad' : ''}">
                ${formatCount(row.questions.failed)}
              </td>
              <td class="number ${row.leaks.documents > 0 ? 'bad' : ''}">
                ${formatCount(row.leaks.documents)}
              </td>
              <td class="number">${formatMs(row.latencyMs?.p50)}</td>
              <td class="number">${formatMs(row.latencyMs?.p95)}</td>
              <td class="number">${formatCount(row.usage.searches)}</td>`
      }
    </tr>`;
  }
}

interface Shown {
  readonly measures: Row['measures'];
  readonly intervals?: Row['intervals'] | undefined;
  readonly questions?: number | undefined;
}

/** What a row says about a slice; nothing when it has no such questions. */
export function pickSlice(row: Row, slice: TableState['slice']): Shown {
  if (!slice) return { measures: row.measures, intervals: row.intervals };
  return row.slices[slice.dimension]?.[slice.value] ?? { measures: {}, questions: undefined };
}

function sortRows(rows: readonly Row[], { sort, slice }: TableState): readonly Row[] {
  if (sort === '') return rows;
  const isDescending = sort.startsWith('-');
  const key = isDescending ? sort.slice(1) : sort;
  const sorted = rows.toSorted((a, b) => compare(valueOf(a, key, slice), valueOf(b, key, slice)));
  return isDescending ? sorted.toReversed() : sorted;
}

function valueOf(row: Row, key: string, slice: TableState['slice']): string | number {
  const values: Readonly<Record<string, string | number | undefined>> = {
    configuration: row.configuration,
    questions: pickSlice(row, slice).questions,
    failed: row.questions.failed,
    leaks: row.leaks.documents,
    p50: row.latencyMs?.p50,
    p95: row.latencyMs?.p95,
    searches: row.usage.searches,
  };
  return values[key] ?? pickSlice(row, slice).measures[key] ?? -1;
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'string' || typeof b === 'string') return String(a).localeCompare(String(b));
  return a - b;
}

customElements.define('ge-scorecard-table', ScorecardTable);
