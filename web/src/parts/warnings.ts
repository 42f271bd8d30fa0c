import '@ui5/webcomponents/dist/MessageStrip.js';
import { html, nothing, type TemplateResult } from 'lit';

import type { Schemas } from '../api/client.ts';
import { t, type TextKey } from '../texts/texts.ts';

type Severity = 'error' | 'warning' | 'note';

/** How bad each warning is, and what to do about it. */
const known: Readonly<Record<string, readonly [Severity, TextKey]>> = {
  leaks: ['error', 'adviceLeaks'],
  'unmapped-chunks': ['error', 'adviceDocumentId'],
  'near-miss-ids': ['error', 'adviceDocumentId'],
  'unanswered-filters': ['error', 'adviceFilters'],
  'no-judged-document-returned': ['error', 'adviceDocumentId'],
  'no-relevant-document': ['error', 'adviceLabels'],
  'unlabelled-questions': ['warning', 'adviceJudge'],
  'low-judged': ['warning', 'adviceJudge'],
  'unknown-judged-documents': ['warning', 'adviceCorpus'],
  'ignored-filter-fields': ['warning', 'adviceFilters'],
  'shared-document-ids': ['warning', 'adviceDocumentId'],
  'several-document-ids': ['warning', 'adviceDocumentId'],
  'depth-below-cutoff': ['warning', 'adviceDepth'],
  'cut-ranking': ['warning', 'adviceDepth'],
  'short-ranking': ['warning', 'adviceDepth'],
  'stage-fallback': ['warning', 'adviceStage'],
  'dropped-code': ['warning', 'adviceStage'],
  'scores-not-comparable': ['note', 'adviceScores'],
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
    .map(([code, entries]) => ({ code, severity: known[code]?.[0] ?? 'warning', entries }))
    .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

/** One strip a kind: what the service says, and what to do. What it says of further configurations is folded. */
export function renderWarning({ code, severity, entries }: WarningGroup): TemplateResult {
  const advice = known[code]?.[1];
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
