import type { z } from 'zod';

import type { QuestionResultPage } from '../../schemas/question-result.ts';
import type { CommandContext } from '../context.ts';
import type { Source } from '../files/source.ts';
import { evaluateFiles } from '../service/evaluate-files.ts';
import { withService } from '../service/open-service.ts';
import { callJson, type Service } from '../service/service.ts';
import type { ScoredQuestion, ScoredRun, ScoreRequest } from './scored-run.ts';

/** Scores rankings of any format that the service takes. */
export async function scoreWithService(
  sources: readonly Source[],
  { names, measures, perQuestion }: ScoreRequest,
  { options, signal }: CommandContext,
): Promise<readonly ScoredRun[]> {
  return withService({ options, signal }, async (service) => {
    const asked = measures.map(({ name }) => name);
    const request = { names, measures: asked, quiet: options.quiet };
    const evaluation = await evaluateFiles(service, sources, request);
    const scored: ScoredRun[] = [];
    for (const { configuration, questions, measures: means } of evaluation.scorecard ?? []) {
      scored.push({
        run: configuration,
        questions: questions.scored,
        measures: pick(means, asked),
        ...(perQuestion && {
          perQuestion: await listQuestions(service, { id: evaluation.id, configuration, asked }),
        }),
      });
    }
    return scored;
  });
}

function pick<Value>(values: Readonly<Record<string, Value>>, names: readonly string[]) {
  return Object.fromEntries(
    names.flatMap((name) => (name in values ? [[name, values[name] as Value]] : [])),
  );
}

type ResultPage = z.infer<typeof QuestionResultPage>;

async function listQuestions(
  service: Service,
  {
    id,
    configuration,
    asked,
  }: { readonly id: string; readonly configuration: string; readonly asked: readonly string[] },
): Promise<readonly ScoredQuestion[]> {
  const questions: ScoredQuestion[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = new URLSearchParams({ configuration, limit: '1000', ...(cursor && { cursor }) });
    const path = `/v1/eval/${id}/questions?${query.toString()}`;
    const page: ResultPage = await callJson<ResultPage>(service, { method: 'GET', path });
    for (const { id: question, measures } of page.items) {
      const isAveraged = Object.keys(measures).length > 0;
      if (isAveraged) questions.push({ id: question, measures: pick(measures, asked) });
    }
    cursor = page.nextCursor;
  }
  return questions;
}
