/** What each format cannot hold, as sentences for people: they belong beside every file that is written. */
export const losses = {
  'trec-qrels': [
    'Question texts, judges, times and notes are not in the file.',
    'Ids with white space cannot be written.',
  ],
  'trec-run': [
    'Chunks and unmapped ranks are not in the file: an unmapped rank is written as a made-up id.',
    'A question for which nothing was found is missing.',
    'Ids with white space cannot be written.',
  ],
  'beir-corpus': ['Only id, title, text and metadata are in the file; paragraphs are one text.'],
  'beir-queries': ['Only id, text and metadata are in the file.'],
  'beir-qrels': [
    'Question texts, judges, times and notes are not in the file.',
    'Ids with a tab or a line end, or that start with a quotation mark, cannot be written.',
  ],
  'ranx-qrels': [
    'Question texts, judges, times and notes are not in the file.',
    'The order of questions whose ids are whole numbers is not kept.',
  ],
  'ranx-run': [
    'Chunks and unmapped ranks are not in the file.',
    'The order of documents with equal scores is not kept.',
    'The order of questions whose ids are whole numbers is not kept.',
  ],
  'csv-qrels': ['Question texts, judges, times and notes are not in the file.'],
  'csv-run': [
    'Chunks and unmapped ranks are not in the file.',
    'The order of documents with equal scores is not kept.',
    'A question for which nothing was found is missing.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
