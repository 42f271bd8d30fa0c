import '@ui5/webcomponents/dist/Tag.js';
import { html, type TemplateResult } from 'lit';

import type { Schemas } from '../api/client.ts';
import { t, type TextKey } from '../texts/texts.ts';

type Status = Schemas['EvaluationSummary']['status'];

const shown: Readonly<Record<Status, readonly [TextKey, string]>> = {
  queued: ['statusQueued', 'Information'],
  running: ['statusRunning', 'Information'],
  succeeded: ['statusSucceeded', 'Positive'],
  failed: ['statusFailed', 'Negative'],
  cancelled: ['statusCancelled', 'Neutral'],
};

export function renderStatus(status: Status): TemplateResult {
  const [key, design] = shown[status];
  return html`<ui5-tag design=${design}>${t(key)}</ui5-tag>`;
}

export function isUnfinished(status: Status): boolean {
  return status === 'queued' || status === 'running';
}

/** What an evaluation is called: its label, or its question set. */
export function nameEvaluation({
  label,
  questionSet,
}: Pick<Schemas['EvaluationSummary'], 'label' | 'questionSet'>): string {
  return label ?? t('evaluationOf', { set: questionSet.name });
}
