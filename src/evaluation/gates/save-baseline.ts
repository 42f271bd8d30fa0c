import { AppError, NotFoundError } from '../../errors.ts';
import { recordChange } from '../../storage/monitoring/audit.ts';
import {
  deleteBaseline,
  findBaseline,
  upsertBaseline,
  type Baseline,
} from '../../storage/catalog/baselines.ts';
import { lockCatalog, lockName } from '../../storage/database/catalog-lock.ts';
import type { Database } from '../../storage/database/database.ts';
import { getConfiguration, getEvaluation } from '../lifecycle/describe-evaluation.ts';
import { parseMeasure } from '../../ir/measures/parse-measure.ts';
import type { ScorecardRow } from '../../model/scorecard.ts';
import { hashJson } from '../../model/hash-content.ts';
import type { RunReference } from '../comparison/read-run.ts';
import { stateOfBaseline } from '../catalog/entity-states.ts';
import { noPrecondition, type Precondition } from '../catalog/precondition.ts';

/**
 * Makes a run the baseline of that name. The run it has already keeps its time. Refuses a run of an
 * evaluation that has not succeeded, and one that scores 0 everywhere: what is held against it would be held
 * against nothing.
 */
export async function saveBaseline(
  db: Database,
  { name, evaluation, configuration }: RunReference & { readonly name: string },
  now: string,
  precondition: Precondition = noPrecondition,
): Promise<{ readonly baseline: Baseline; readonly isNew: boolean }> {
  return db.transaction().execute(async (trx) => {
    await lockCatalog(trx, 'shared');
    await lockName(trx, 'baseline', name);
    const before = await findBaseline(trx, name);
    precondition(before && stateOfBaseline(before));
    const { status, scorecard } = await getEvaluation(trx, evaluation);
    await getConfiguration(trx, evaluation, configuration);
    if (status !== 'succeeded') {
      const message = `Evaluation '${evaluation}' is ${status}; a baseline requires an evaluation that succeeded`;
      throw new AppError('conflict', message);
    }
    refuseZeros(scorecard?.find((row) => row.configuration === configuration));
    if (before?.evaluation === evaluation && before.configuration === configuration) {
      return { baseline: before, isNew: false };
    }
    const baseline = { name, evaluation, configuration, createdAt: now };
    await upsertBaseline(trx, baseline);
    const hashes = { before: before ? hashBaseline(before) : null, after: hashBaseline(baseline) };
    await recordChange(trx, { at: now, kind: 'baseline', name, ...hashes });
    return { baseline, isNew: before === undefined };
  });
}

/** Nothing can be worse than a run that scores 0 everywhere: every gate would pass. */
function refuseZeros(row: ScorecardRow | undefined): void {
  const means = Object.entries(row?.measures ?? {})
    .filter(([name]) => parseMeasure(name)?.family !== 'judged')
    .flatMap(([, mean]) => mean ?? []);
  if (means.length === 0 || means.some((mean) => mean !== 0)) return;
  const cause = row?.warnings.find(({ severity }) => severity === 'error');
  const reason = cause ? `. ${cause.message}` : '';
  const message = `Every measure of configuration '${row?.configuration}' is 0, so it cannot be a baseline: nothing could be worse${reason}`;
  throw new AppError('conflict', message);
}

export async function getBaseline(db: Database, name: string): Promise<Baseline> {
  const baseline = await findBaseline(db, name);
  if (!baseline) throw new NotFoundError('Baseline', name);
  return baseline;
}

/** Its evaluation stays. */
export async function removeBaseline(
  db: Database,
  name: string,
  now: string,
  precondition: Precondition = noPrecondition,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockName(trx, 'baseline', name);
    const stored = await findBaseline(trx, name);
    precondition(stored && stateOfBaseline(stored));
    const before = hashBaseline(await getBaseline(trx, name));
    await deleteBaseline(trx, name);
    await recordChange(trx, { at: now, kind: 'baseline', name, before, after: null });
  });
}

function hashBaseline({ evaluation, configuration }: RunReference): string {
  return hashJson([evaluation, configuration]);
}
