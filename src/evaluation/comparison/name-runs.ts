import type { StoredEvaluation } from '../../storage/evaluations/stored-evaluation.ts';
import type { RunReference } from './read-run.ts';

type DatedEvaluation = Pick<StoredEvaluation, 'id' | 'label' | 'createdAt' | 'finishedAt'>;

/**
 * What each run is called in a sentence, in their order: its configuration, and where several evaluations have one
 * of that name, their label or their time beside it.
 */
export function nameRuns(
  runs: readonly RunReference[],
  evaluations: ReadonlyMap<string, DatedEvaluation>,
): readonly string[] {
  return runs.map((run) => {
    const namesakes = runs.filter(({ configuration }) => configuration === run.configuration);
    const ids = [...new Set(namesakes.map(({ evaluation }) => evaluation))];
    if (ids.length < 2) return run.configuration;
    const others = ids.flatMap((id) => (id === run.evaluation ? [] : (evaluations.get(id) ?? [])));
    const own = evaluations.get(run.evaluation);
    const which = own ? tellApart(own, others) : run.evaluation;
    return `${run.configuration} of ${which}`;
  });
}

/** The first that no other shares. */
function tellApart(own: DatedEvaluation, others: readonly DatedEvaluation[]): string {
  const ways = [toLabel, toDay, toMinute];
  for (const tell of ways) {
    const told = tell(own);
    if (told !== null && others.every((other) => tell(other) !== told)) return told;
  }
  return own.id;
}

function toLabel({ label }: DatedEvaluation): string | null {
  return label === null || label.trim() === '' ? null : `"${label}"`;
}

function toDay(evaluation: DatedEvaluation): string {
  return dayFormat.format(timeOf(evaluation));
}

function toMinute(evaluation: DatedEvaluation): string {
  return `${minuteFormat.format(timeOf(evaluation))} UTC`;
}

const day = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
const dayFormat = new Intl.DateTimeFormat('en-GB', day);
const minuteFormat = new Intl.DateTimeFormat('en-GB', {
  ...day,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

function timeOf({ createdAt, finishedAt }: DatedEvaluation): Date {
  return new Date(finishedAt ?? createdAt);
}
