import type { Source } from '../files/source.ts';
import { createProgress } from '../output/progress.ts';
import { evaluate, type Evaluation } from './evaluate.ts';
import type { Service } from './service.ts';
import { uploadQuestions, uploadRun } from './upload.ts';

/** Brings qrels and runs, and scores the runs together, each under its name. Nothing is searched. */
export async function evaluateFiles(
  service: Service,
  [qrels, ...runs]: readonly Source[],
  {
    names,
    quiet,
    ...request
  }: {
    readonly names: readonly string[];
    readonly quiet?: boolean | undefined;
    readonly measures?: readonly string[] | undefined;
    readonly label?: string;
    readonly gate?: object;
  },
): Promise<Evaluation> {
  const questionSet = qrels ? await uploadQuestions(service, qrels) : '';
  const configurations: object[] = [];
  for (const [index, run] of runs.entries()) {
    const uploaded = await uploadRun(service, run);
    configurations.push({ name: names[index], backend: 'run', run: uploaded });
  }
  const asked = { questionSet, configurations, ...request };
  return evaluate(service, asked, { progress: createProgress({ quiet }) });
}
