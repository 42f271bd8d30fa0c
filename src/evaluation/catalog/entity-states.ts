import type { StoredAlertTarget } from '../../storage/monitoring/alert-targets.ts';
import type { AllowanceList } from '../../storage/catalog/allowances.ts';
import type { Baseline } from '../../storage/catalog/baselines.ts';
import type { Corpus } from '../../storage/catalog/corpora.ts';
import type { QuestionSet } from '../../storage/question-sets/question-sets.ts';
import type { ImportedRun } from '../../storage/catalog/runs.ts';
import type { StoredSchedule } from '../../storage/monitoring/schedules.ts';
import type { StoredConfiguration } from '../../storage/catalog/search-configurations.ts';
import { readOr } from '../../storage/database/parse-stored.ts';
import { hashCanonical, hashJson } from '../../model/hash-content.ts';
import type { PriceTable } from '../../model/prices.ts';

/*
 * Each names the state that a named resource is in, as a hash: another one after every change, and only
 * then. What the service itself notes beside it, such as the last ticks of a schedule, is no change.
 */

export function stateOfQuestionSet({
  contentHash,
  version,
  description,
  createdAt,
}: Pick<QuestionSet, 'contentHash' | 'version' | 'description' | 'createdAt'>): string {
  return hashJson(['question-set', contentHash, version, description, createdAt]);
}

export function stateOfCorpus({ contentHash, updatedAt }: Corpus): string {
  return hashJson(['corpus', contentHash, updatedAt]);
}

export function stateOfRun({ contentHash, createdAt }: ImportedRun): string {
  return hashJson(['run', contentHash, createdAt]);
}

export function stateOfConfiguration({ body, updatedAt }: StoredConfiguration): string {
  return hashJson(['search-configuration', body, updatedAt]);
}

export function stateOfBaseline({ evaluation, configuration, createdAt }: Baseline): string {
  return hashJson(['baseline', evaluation, configuration, createdAt]);
}

export function stateOfSchedule(schedule: StoredSchedule): string {
  const { cron, timeZone, evaluation, isEnabled, updatedAt } = schedule;
  const notify = readOr(() => schedule.notify, unreadable);
  return hashJson(['schedule', cron, timeZone, evaluation, isEnabled, notify, updatedAt]);
}

/** What a schedule says, not when it runs next. */
export function hashSchedule(schedule: Omit<StoredSchedule, 'nextAt' | 'updatedAt'>): string {
  const { cron, timeZone, evaluation, isEnabled } = schedule;
  const notify = readOr(() => schedule.notify, unreadable);
  return hashJson([cron, timeZone, evaluation, isEnabled, notify]);
}

export function stateOfAlertTarget(stored: StoredAlertTarget): string {
  return hashJson(['alert-target', hashAlertTarget(stored), stored.updatedAt]);
}

/** Excludes the secret: its hash would let an attacker verify guesses. */
export function hashAlertTarget(stored: Pick<StoredAlertTarget, 'target'>): string {
  return hashCanonical(readOr(() => ({ ...stored.target, secret: undefined }), unreadable));
}

/** Stands for a stored value that cannot be read. */
const unreadable = 'unreadable';

export function stateOfAllowances({ access, updatedAt }: AllowanceList): string {
  return hashJson(['allowances', hashCanonical(access), updatedAt]);
}

export function stateOfPrices({ version, contentHash }: PriceTable): string {
  return hashJson(['prices', version, contentHash]);
}
