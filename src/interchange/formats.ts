import { InterchangeError } from '../ir/interchange/interchange-error.ts';

/** What a file is read for. */
export type FileKind = 'questions' | 'judgments' | 'run';

/** How a text is cut up. What JSON holds is found out by its keys (`tool-datasets.ts`). */
export type TextForm = 'json' | 'ndjson' | 'table' | 'trec' | 'ltr' | 'columns' | 'lines';

interface Format {
  readonly name: string;
  /** The ways in which it is cut up; the content decides between several. */
  readonly forms: readonly TextForm[];
  /** The lines that show it, by what it is read for. */
  readonly samples: Readonly<Partial<Record<FileKind, string>>>;
}

/** Every format by the name that `?format=` takes. */
const formats = [
  {
    name: 'csv',
    forms: ['table'],
    samples: {
      questions: 'id,text,kind',
      judgments: 'question,document,grade',
      run: 'question,document,score',
    },
  },
  {
    name: 'tsv',
    forms: ['table'],
    samples: {
      questions: 'id⇥text⇥kind',
      judgments: 'question⇥document⇥grade',
      run: 'question⇥document⇥score',
    },
  },
  {
    name: 'trec',
    forms: ['trec'],
    samples: { judgments: 'q06 0 D07 2', run: 'q06 Q0 D07 1 7.1 hana' },
  },
  {
    name: 'beir',
    forms: ['table', 'ndjson'],
    samples: { questions: '{"_id":"q06","text":"…"}', judgments: 'query-id⇥corpus-id⇥score' },
  },
  {
    name: 'ndjson',
    forms: ['ndjson'],
    samples: {
      questions: '{"id":"q06","text":"…","relevant":{"D07":2}}',
      judgments: '{"query-id":"q06","corpus-id":"D07","score":2}',
      run: '{"query-id":"q06","corpus-id":"D07","score":7.1}',
    },
  },
  {
    name: 'mteb',
    forms: ['ndjson'],
    samples: { judgments: '{"query-id":"q06","corpus-id":"D07","score":2}' },
  },
  {
    name: 'ranx',
    forms: ['json'],
    samples: { judgments: '{"q06":{"D07":2}}', run: '{"q06":{"D07":7.1}}' },
  },
  {
    name: 'rank-eval',
    forms: ['json'],
    samples: {
      questions: '{"requests":[{"id":"…","request":{…},"ratings":[{"_id":"D07","rating":2}]}]}',
      judgments: '{"requests":[{"id":"q06","request":{…},"ratings":[{"_id":"D07","rating":2}]}]}',
    },
  },
  {
    name: 'opensearch',
    forms: ['json'],
    samples: {
      questions: '{"judgmentRatings":[{"query":"…","ratings":[{"docId":"D07","rating":"2"}]}]}',
      judgments: '{"judgmentRatings":[{"query":"…","ratings":[{"docId":"D07","rating":"2"}]}]}',
    },
  },
  {
    name: 'llamaindex',
    forms: ['json'],
    samples: {
      questions: '{"queries":{"q06":"…"},"corpus":{…},"relevant_docs":{"q06":["D07"]}}',
      judgments: '{"queries":{"q06":"…"},"corpus":{…},"relevant_docs":{"q06":["D07"]}}',
    },
  },
  {
    name: 'ragas',
    forms: ['ndjson', 'json'],
    samples: {
      questions: '{"user_input":"…","reference_context_ids":["D07"]}',
      judgments: '{"user_input":"…","reference_context_ids":["D07"]}',
      run: '{"user_input":"…","retrieved_context_ids":["D07","D03"]}',
    },
  },
  {
    name: 'azure',
    forms: ['json', 'ndjson'],
    samples: {
      questions:
        '{"query":"…","retrieval_ground_truth":[{"document_id":"D07","query_relevance_label":4}]}',
      judgments: '[{"document_id":"D07","query_relevance_label":4}] with ?question=q06',
      run: '[{"document_id":"D07","relevance_score":7.1}] with ?question=q06',
    },
  },
  {
    name: 'rre',
    forms: ['json'],
    samples: {
      questions:
        '{"topics":[{"query_groups":[{"queries":[…],"relevant_documents":{"2":["D07"]}}]}]}',
      judgments:
        '{"topics":[{"query_groups":[{"queries":[…],"relevant_documents":{"2":["D07"]}}]}]}',
    },
  },
  { name: 'ltr', forms: ['ltr'], samples: { judgments: '2 qid:6 # D07' } },
  {
    name: 'msmarco',
    forms: ['columns'],
    samples: { questions: 'q06⇥text', judgments: 'q06⇥D07', run: 'q06⇥D07⇥1' },
  },
  { name: 'lines', forms: ['lines'], samples: { questions: 'one question per line' } },
] as const satisfies readonly Format[];

export type FormatName = (typeof formats)[number]['name'];

/** The names that a file of this kind can have. */
export function listFormats(kind: FileKind): readonly FormatName[] {
  return formats.filter((format: Format) => format.samples[kind]).map(({ name }) => name);
}

/** The ways in which a format is cut up. Throws where it is not one of this kind. */
export function formsOf(name: string, kind: FileKind): readonly TextForm[] {
  const found = formats.find((format: Format) => format.name === name && format.samples[kind]);
  if (found) return found.forms;
  const known = listFormats(kind).join(', ');
  throw new InterchangeError(`'${name}' is not a format of ${nouns[kind]}; known are ${known}`);
}

const nouns: Record<FileKind, string> = {
  questions: 'questions',
  judgments: 'judgments',
  run: 'a run',
};

/** Refuses what no form fits, with the forms that are read and a line of the nearest. */
export function refuseUnknownForm(
  kind: FileKind,
  {
    found,
    nearest,
    line,
  }: { readonly found: string; readonly nearest: FormatName; readonly line?: number },
): never {
  const sample = formats.find(({ name }) => name === nearest)?.samples as Format['samples'];
  const shown = sample[kind] ?? '';
  const known = listFormats(kind).join(', ');
  throw new InterchangeError(
    `${found}; ${nouns[kind]} are read as ${known}, and the nearest, ${nearest}, looks like this: ${shown.replaceAll('⇥', '<tab>')}`,
    line === undefined ? {} : { line },
  );
}
