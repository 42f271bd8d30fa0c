import { toComparableRanking } from '../../ir/comparable-ids.ts';
import { poolQuestion } from '../../ir/pooling.ts';
import { toJudgments } from '../../ir/qrels.ts';
import { toSnippet } from '../../retrieval/snippet.ts';
import type { PooledDocument } from '../../model/pool.ts';
import type { PooledRun } from './pool-runs.ts';
import type { QuestionTops } from './read-tops.ts';
import type { OutcomeHit } from '../../model/outcome.ts';

/** What is pooled of one question, with what a judge is shown. */
export function poolDocuments(
  { question, tops }: QuestionTops,
  runs: readonly PooledRun[],
): readonly PooledDocument[] {
  const answers = runs.map((run) => readAnswer(run, tops.get(run) ?? []));
  const byLabel = new Map(answers.map((answer) => [answer.run.label, answer]));
  const rankings = answers.map(({ run, ranking }) => ({ configuration: run.label, ranking }));
  const depth = Math.max(0, ...rankings.map(({ ranking }) => ranking.length));
  return poolQuestion(rankings, toJudgments(question.judgments), depth).map(
    ({ documentId, retrievedBy }) => ({
      documentId,
      ...findEvidence(
        documentId,
        retrievedBy.flatMap(({ configuration }) => byLabel.get(configuration) ?? []),
      ),
      retrievedBy: retrievedBy.map(({ configuration: label, rank }) => ({
        ...nameRun(byLabel.get(label)?.run, label),
        rank,
      })),
    }),
  );
}

interface Answer {
  readonly run: PooledRun;
  readonly ranking: readonly (string | null)[];
  /** By id in its comparable form. */
  readonly hits: ReadonlyMap<string, OutcomeHit>;
}

function readAnswer(run: PooledRun, hits: readonly OutcomeHit[]): Answer {
  const ranking = toComparableRanking(hits.map(({ documentId }) => documentId));
  const known = hits.flatMap((hit, index) => {
    const id = ranking[index] ?? null;
    return id === null ? [] : [[id, hit] as const];
  });
  return { run, ranking, hits: new Map(known) };
}

function nameRun(run: PooledRun | undefined, label: string) {
  const configuration = run?.configuration.name ?? label;
  return run?.namesEvaluation
    ? { evaluation: run.evaluation.id, configuration }
    : { configuration };
}

/** What a judge is shown; `title` is null where the search gave none. */
interface Evidence {
  readonly title: string | null;
  readonly snippet: string | null;
}

/** From the first run that has a text: the backend's where it keeps its texts, else what was stored of the search. */
function findEvidence(documentId: string, answers: readonly Answer[]): Evidence {
  for (const { run, hits } of answers) {
    const hit = hits.get(documentId);
    const passage = hit?.chunkId ? run.findPassage?.(hit.chunkId) : undefined;
    if (passage) return { title: passage.title, snippet: toSnippet(passage.text) };
    const chunk = hit?.chunks?.[0];
    if (chunk) return { title: null, snippet: chunk.snippet };
  }
  return { title: null, snippet: null };
}
