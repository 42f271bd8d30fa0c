import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import { parentPort } from 'node:worker_threads';

import {
  AutoModelForSequenceClassification,
  AutoTokenizer,
  env,
  type PreTrainedModel,
  type PreTrainedTokenizer,
} from '@huggingface/transformers';

import type { EncoderAnswer, EncoderTask } from './encoder-thread.ts';
import { findPrecision } from './model-folder.ts';

/**
 * The thread that scores pairs: the runtime computes in the thread that calls it, for as long as it takes.
 * It never goes to the network and writes nothing.
 */
env.allowRemoteModels = false;
env.useFSCache = false;

interface LoadedModel {
  readonly tokenizer: PreTrainedTokenizer;
  readonly model: PreTrainedModel;
}

/** Models that are kept in memory. */
const keptModels = 2;

/** Of a question and a passage together, what a model looks at; a model may look at less. */
const maxTokens = 512;

const models = new Map<string, Promise<LoadedModel>>();
let turn: Promise<void> = Promise.resolve();

parentPort?.on('message', (task: EncoderTask) => {
  turn = turn.then(async () => parentPort?.postMessage(await answer(task)));
});

async function answer({ id, folder, question, passages }: EncoderTask): Promise<EncoderAnswer> {
  try {
    const model = await findModel(folder);
    const start = performance.now();
    const logits = await score(model, question, passages);
    return { id, logits, computedMs: performance.now() - start };
  } catch (error) {
    return { id, issue: error instanceof Error ? error.message : String(error) };
  }
}

async function findModel(folder: string): Promise<LoadedModel> {
  const known = models.get(folder);
  models.delete(folder);
  const model = known ?? load(folder);
  models.set(folder, model);
  model.catch(() => models.delete(folder));
  const [oldest] = models;
  if (models.size > keptModels && oldest) {
    models.delete(oldest[0]);
    await oldest[1].then((unused) => unused.model.dispose());
  }
  return model;
}

async function load(folder: string): Promise<LoadedModel> {
  env.localModelPath = dirname(folder);
  const name = basename(folder);
  const local = { local_files_only: true };
  const tokenizer = await AutoTokenizer.from_pretrained(name, local);
  const model = await AutoModelForSequenceClassification.from_pretrained(name, {
    ...local,
    dtype: findPrecision(folder) ?? 'fp32',
    // The process that waits for the scores has other things to do besides.
    session_options: { intraOpNumThreads: Math.max(1, availableParallelism() - 1) },
  });
  return { tokenizer, model };
}

/** Higher is better. Only comparable numbers are scores. */
async function score(
  { tokenizer, model }: LoadedModel,
  question: string,
  passages: readonly string[],
): Promise<readonly number[]> {
  const questions = passages.map(() => question);
  const inputs = tokenizer(questions, {
    text_pair: [...passages],
    padding: true,
    truncation: true,
    max_length: maxTokens,
  });
  const { logits } = (await model(inputs)) as { readonly logits: Logits };
  const [rows, labels] = logits.dims;
  if (rows !== passages.length || labels !== 1) {
    throw new Error(`the model returns ${labels} values for a pair; a cross-encoder returns one`);
  }
  const scores = Array.from(logits.data, Number);
  if (scores.every(Number.isFinite)) return scores;
  throw new Error('the model returns values that are not numbers');
}

interface Logits {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}
