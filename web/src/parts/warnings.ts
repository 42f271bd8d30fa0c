import '@ui5/webcomponents/dist/MessageStrip.js';
import { html, nothing, type TemplateResult } from 'lit';

import type { Schemas } from '../api/client.ts';
import { t, type TextKey } from '../texts/texts.ts';

type Severity = Schemas['Warning']['severity'];

/** What to do about each warning. */
const advices: Readonly<Record<string, TextKey>> = {
  leaks: 'adviceLeaks',
  'unmapped-chunks': 'adviceDocumentId',
  'near-miss-ids': 'adviceDocumentId',
  'unanswered-filters': 'adviceFilters',
  'no-judged-document-returned': 'adviceDocumentId',
  'no-relevant-document': 'adviceLabels',
  'unlabelled-questions': 'adviceJudge',
  'low-judged': 'adviceJudge',
  'unknown-judged-documents': 'adviceCorpus',
  'ignored-filter-fields': 'adviceFilters',
  'shared-document-ids': 'adviceDocumentId',
  'several-document-ids': 'adviceDocumentId',
  'depth-below-cutoff': 'adviceDepth',
  'cut-ranking': 'adviceDepth',
  'short-ranking': 'adviceDepth',
  'stage-fallback': 'adviceStage',
  'dropped-code': 'adviceStage',
  'scores-not-comparable': 'adviceScores',
};

const order: readonly Severity[] = ['error', 'warning', 'note'];
const designs = { error: 'Negative', warning: 'Critical', note: 'Information' } as const;

/** One kind of warning, with what it says of each configuration. */
export interface WarningGroup {
  readonly code: string;
  readonly severity: Severity;
  readonly entries: readonly {
    readonly configuration: string;
    readonly warning: Schemas['Warning'];
  }[];
}

/** The warnings of all configurations by kind, the worst first. */
export function groupWarnings(rows: readonly Schemas['ScorecardRow'][]): readonly WarningGroup[] {
  const all = rows.flatMap(({ configuration, warnings }) =>
    warnings.map((warning) => ({ configuration, warning })),
  );
  return [...Map.groupBy(all, ({ warning }) => warning.code)]
    .map(([code, entries]) => ({
      code,
      severity: entries[0]?.warning.severity ?? 'warning',
      entries,
    }))
    .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

/** One strip a kind: what the service says, and what to do. What it says of further configurations is folded. */
export function renderWarning({ code, severity, entries }: WarningGroup): TemplateResult {
  const advice = advices[code];
  const [first] = entries;
  const isSame = entries.every(({ warning }) => warning.message === first?.warning.message);
  const names = entries.map(({ configuration }) => configuration).join(', ');
  return html`<li>
    <ui5-message-strip design=${designs[severity]} hide-close-button>
      ${advice ? html`<strong>${t(advice)}</strong>` : nothing}
      ${
        isSame
          ? html`<span>${names}: ${first?.warning.message}</span>`
          : html`<details>
              <summary>${t('warningOf', { names })}</summary>
              <ul>
                ${entries.map(
                  ({ configuration, warning }) =>
                    html`<li>${configuration}: ${warning.message}</li>`,
                )}
              </ul>
            </details>`
      }
    </ui5-message-strip>
  </li>`;
}
