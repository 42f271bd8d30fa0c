import { lossCauses, type LossCause } from '../../ir/funnel/lost-documents.ts';
import { sliceValues, type SliceDimension } from '../../model/question.ts';
import type { DiagnosedQuestion } from './diagnose-questions.ts';
import type {
  DiagnosisOptions,
  LossCounts,
  CauseCounts,
  Diagnosis,
} from '../../model/diagnosis.ts';

/** Counts the losses of a stream of questions, in memory that does not grow with their number. */
export async function summarizeDiagnosis(
  diagnosed: AsyncIterable<DiagnosedQuestion>,
  options: DiagnosisOptions,
  sliceBy: readonly SliceDimension[],
): Promise<Diagnosis> {
  const collector = createDiagnosisCollector(options, sliceBy);
  for await (const each of diagnosed) collector.add(each);
  return collector.toDiagnosis();
}

type CountedQuestion = Omit<DiagnosedQuestion, 'position'>;

export interface DiagnosisCollector {
  readonly add: (diagnosed: CountedQuestion) => void;
  readonly toDiagnosis: () => Diagnosis;
}

export function createDiagnosisCollector(
  { k, relevantFrom }: DiagnosisOptions,
  sliceBy: readonly SliceDimension[],
): DiagnosisCollector {
  const all = createCounter();
  const slices = new Map(sliceBy.map((name) => [name, new Map<string, Counter>()]));
  const unfiltered = { searched: 0, failed: 0, notAsked: 0 };
  return {
    add(diagnosed) {
      all.add(diagnosed);
      for (const [dimension, byValue] of slices) {
        for (const value of sliceValues(diagnosed.question, dimension)) {
          const counter = byValue.get(value) ?? createCounter();
          counter.add(diagnosed);
          byValue.set(value, counter);
        }
      }
      if (diagnosed.unfiltered === 'searched') unfiltered.searched += 1;
      if (diagnosed.unfiltered === 'failed') unfiltered.failed += 1;
      if (diagnosed.unfiltered === 'not-asked') unfiltered.notAsked += 1;
    },
    toDiagnosis() {
      const counts = all.toCounts();
      return {
        k,
        relevantFrom,
        ...counts,
        slices: Object.fromEntries([...slices].map(([name, byValue]) => [name, toSlice(byValue)])),
        unfiltered,
        advice: advise(counts, k, unfiltered.notAsked + unfiltered.failed),
      };
    },
  };
}

interface Counter {
  readonly add: (diagnosed: CountedQuestion) => void;
  readonly toCounts: () => LossCounts;
}

function createCounter(): Counter {
  const totals = { questions: 0, relevant: 0, lost: 0 };
  const documents = new Map<LossCause, number>();
  const questions = new Map<LossCause, number>();
  return {
    add({ relevant, lost }) {
      totals.questions += 1;
      totals.relevant += relevant;
      totals.lost += lost.length;
      for (const { cause } of lost) documents.set(cause, (documents.get(cause) ?? 0) + 1);
      for (const cause of new Set(lost.map((each) => each.cause))) {
        questions.set(cause, (questions.get(cause) ?? 0) + 1);
      }
    },
    toCounts() {
      const toCause = (cause: LossCause): CauseCounts => {
        const losses = documents.get(cause) ?? 0;
        const share = totals.lost > 0 ? losses / totals.lost : null;
        return { documents: losses, share, questions: questions.get(cause) ?? 0 };
      };
      return {
        ...totals,
        causes: {
          filtered: toCause('filtered'),
          absent: toCause('absent'),
          'below-depth': toCause('below-depth'),
          'lost-in-fusion': toCause('lost-in-fusion'),
          'lost-in-rerank': toCause('lost-in-rerank'),
          'below-k': toCause('below-k'),
        },
      };
    },
  };
}

function toSlice(byValue: ReadonlyMap<string, Counter>): Record<string, LossCounts> {
  const sorted = [...byValue].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([value, counter]) => [value, counter.toCounts()]));
}

const remedies: Readonly<Record<LossCause, string>> = {
  filtered:
    "hidden by the conditions of the question's user: no search returns them; check the metadata, the rights of the user or the judgments",
  absent:
    'in no list, so re-ranking cannot help: rewrite the questions, search more widely, or check that the documents are indexed',
  'below-depth':
    'found, but too deep for the next step: pass more candidates to the re-ranker, or keep deeper rankings',
  'lost-in-fusion':
    'ranked high enough by one version of the question and moved down by fusion: search fewer versions, or use another fusion',
  'lost-in-rerank':
    'in the top k before re-ranking, or removed by its "minScore": try another re-ranker, or a lower "minScore" or none for such questions',
  'below-k':
    'within reach, but ranked too low: add or improve re-ranking, or show more than k documents',
};

function advise({ lost, relevant, causes }: LossCounts, k: number, unknown: number): string[] {
  if (lost === 0) return [`Every relevant document (${relevant}) is in the top ${k}.`];
  const sentences = lossCauses
    .filter((cause) => causes[cause].documents > 0)
    .toSorted((a, b) => causes[b].documents - causes[a].documents)
    .map((cause) => {
      const { documents, share, questions } = causes[cause];
      const percent = ((share ?? 0) * 100).toFixed(0);
      return `${cause}: ${documents} of ${lost} lost documents (${percent} %), of ${count(questions)}: ${remedies[cause]}.`;
    });
  if (unknown === 0) return sentences;
  const open = `For ${count(unknown)} with a user it is unknown whether the conditions of the user hide the missing documents: an evaluation with "diagnose": "deep" searches once more without them.`;
  return [...sentences, open];
}

function count(questions: number): string {
  return questions === 1 ? '1 question' : `${questions} questions`;
}
