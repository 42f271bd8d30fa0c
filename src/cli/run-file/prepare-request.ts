import { CommandError } from '../exit-codes.ts';
import { openSources, type Source } from '../files/source.ts';
import type { Service } from '../service/service.ts';
import { uploadCorpus, uploadQrels, uploadQuestions, uploadRun } from '../service/upload.ts';
import type { LoadedRunFile } from './load-run-file.ts';

type Inconclusive = 'report' | 'pass' | 'fail' | undefined;

export interface PrepareOptions {
  readonly url?: string | undefined;
  readonly inconclusive?: Inconclusive;
}

/** Brings everything that a file names, and returns the body for POST /v1/eval. */
export async function prepareRequest(
  service: Service,
  loaded: LoadedRunFile,
  { url, inconclusive }: PrepareOptions,
): Promise<object> {
  const { file, name } = loaded;
  const {
    questionSet: _set,
    corpus,
    configurations,
    baseline,
    gate,
    reports: _reports,
    ...plan
  } = file;
  const open = (path: string) => openFile(loaded, path, url);
  const questionSet = await bringQuestions(service, loaded, open);
  if (corpus !== undefined) await uploadCorpus(service, await open(corpus), name);
  const brought: object[] = [];
  for (const [index, configuration] of configurations.entries()) {
    if ('run' in configuration) {
      brought.push({
        ...configuration,
        run: await uploadRun(service, await open(configuration.run)),
      });
    } else if ('rrfK' in configuration) {
      const searched = configuration.corpus ?? (corpus === undefined ? undefined : name);
      if (searched === undefined) {
        const detail = 'corpus is missing: name a file with documents at the top of this file';
        throw new CommandError(loaded.tell(['configurations', index], detail));
      }
      brought.push({ ...configuration, corpus: searched });
    } else {
      brought.push(configuration);
    }
  }
  const { name: _name, ...measured } = plan;
  const decided = gate && { ...gate, ...(inconclusive && { onInconclusive: inconclusive }) };
  return {
    questionSet,
    configurations: brought,
    ...measured,
    label: name,
    ...(decided && { gate: { ...decided, ...toBaseline(baseline, hasDrop(decided)) } }),
  };
}

type Gate = NonNullable<LoadedRunFile['file']['gate']>;

/** Minimums need no baseline, and the service refuses one that would not be looked at. */
function hasDrop({ maxDrop, checks = [] }: Gate): boolean {
  return maxDrop !== undefined || checks.some((check) => 'maxDrop' in check);
}

function toBaseline(baseline: string | undefined, isNeeded: boolean): object {
  if (baseline === undefined || !isNeeded) return {};
  const isStored = baseline.startsWith('@');
  return { baseline: isStored ? baseline.slice(1) : { configuration: baseline } };
}

async function bringQuestions(
  service: Service,
  { file, name }: LoadedRunFile,
  open: (path: string) => Promise<Source>,
): Promise<string> {
  const { questionSet } = file;
  if (typeof questionSet === 'string') {
    return uploadQuestions(service, await open(questionSet), name);
  }
  const set = await uploadQuestions(service, await open(questionSet.questions), name);
  if (questionSet.qrels !== undefined) {
    await uploadQrels(service, await open(questionSet.qrels), set);
  }
  return set;
}

async function openFile(
  { resolvePath }: LoadedRunFile,
  path: string,
  url: string | undefined,
): Promise<Source> {
  const [source] = await openSources([resolvePath(path)], url);
  if (source) return source;
  throw new CommandError(`${path}: there is no such file`);
}
