/** What each format cannot hold, as sentences for people: they belong beside every file that is written. */
export const losses = {
  'trec-qrels': [
    'Question texts, judges, times and notes are not included.',
    'Ids with white space cannot be written.',
  ],
  'trec-run': [
    'Chunks and unmapped ranks are not included: an unmapped rank is written with a generated id.',
    'Questions without results are missing.',
    'Ids with white space cannot be written.',
  ],
  'beir-corpus': [
    'Only id, title, text and metadata are included; paragraphs are joined into one text.',
  ],
  'beir-queries': ['Only id, text and metadata are included.'],
  'beir-qrels': [
    'Question texts, judges, times and notes are not included.',
    'Ids that contain a tab or a line end, or start with a quotation mark, cannot be written.',
  ],
  'ranx-qrels': [
    'Question texts, judges, times and notes are not included.',
    'The order of questions whose ids are whole numbers is lost.',
  ],
  'ranx-run': [
    'Chunks and unmapped ranks are not included.',
    'The order of documents with equal scores is lost.',
    'The order of questions whose ids are whole numbers is lost.',
  ],
  'csv-qrels': ['Question texts, judges, times and notes are not included.'],
  'csv-run': [
    'Chunks and unmapped ranks are not included.',
    'The order of documents with equal scores is lost.',
    'Questions without results are missing.',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
