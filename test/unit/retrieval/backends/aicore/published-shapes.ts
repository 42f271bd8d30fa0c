import type { DocumentIdRule } from '../../../../../src/model/document-id-rule.ts';

export type Ranked = readonly (readonly [documentId: string | null, score: number | null])[];

export const documentKey = (key: string): DocumentIdRule => ({ from: 'documentMetadata', key });
export const chunkKey = (key: string): DocumentIdRule => ({ from: 'chunkMetadata', key });

// Of each body in test/golden/aicore/retrieval.json: where the id is read from, and the ranking. Scores that the
// table leaves out are the best chunk's in the file. Ties: document id ascending, as design.md has it.
export const rankedShapes: readonly (readonly [
  file: string,
  rule: DocumentIdRule,
  ranking: Ranked,
])[] = [
  [
    '01-vector-collection',
    documentKey('url'),
    [
      ['https://docs.example.test/workshop/brakes', 0.71842193603515625],
      ['https://docs.example.test/workshop/chain', 0.6120092868804932],
    ],
  ],
  [
    '02-vector-document-id-key',
    documentKey('id'),
    [
      ['deposit-rules.md', 0.8034],
      ['late-return.md', 0.7902],
    ],
  ],
  [
    '03-s3-pipeline',
    documentKey('title'),
    [
      ['hub motor 250W.pdf', 0.6631],
      ['battery-care.docx', 0.6488],
    ],
  ],
  [
    '04-sharepoint-pipeline',
    documentKey('filePath'),
    [
      ['Werkstatt/Prüfanleitung Bremsbeläge.pdf', 0.7443],
      ['Verleih/Rückgabe.docx', 0.512],
    ],
  ],
  [
    '05-help-portal',
    documentKey('webUrl'),
    [
      ['https://help.example.test/docs/fleet/charging', null],
      ['https://help.example.test/docs/fleet/locks', null],
    ],
  ],
  [
    '06-uploaded-files',
    documentKey('name'),
    [
      ['tour plan.txt', 0.5923],
      ['tour plan (1).txt', 0.4511],
    ],
  ],
  [
    '07-framework-store-chunk-metadata-only',
    chunkKey('source'),
    [
      ['packing-list.md', 0.6901],
      ['tour-guide.md', 0.6702],
    ],
  ],
  ['08-no-chunk-index', chunkKey('context'), [['opening-hours', 0.8129]]],
  ['11-empty-filter-result', chunkKey('docId'), []],
  ['14-empty-documents', chunkKey('docId'), []],
  [
    '18-grouped-not-sorted',
    documentKey('docId'),
    [
      ['N-06', 0.75],
      ['A-2', 0.72],
      ['N-05', 0.69],
      ['A-1', 0.43],
    ],
  ],
  [
    '19-max-document-count',
    documentKey('docId'),
    [
      ['N-06', 0.75],
      ['N-05', 0.69],
      ['N-07', 0.41],
    ],
  ],
  ['20-remote-grounding', documentKey('title'), [['Trailer coupling', 0.57]]],
  [
    '21-no-scores',
    documentKey('url'),
    [
      ['https://docs.example.test/one', null],
      ['https://docs.example.test/two', null],
    ],
  ],
  [
    '22-other-pipelines',
    documentKey('title'),
    [
      ['Insurance terms.pdf', 0.66],
      ['prices-2026.txt', 0.6],
      ['KB0010042', 0.48],
      ['How we answer the phone', 0.35],
    ],
  ],
  [
    '23-same-chunk-in-two-filters',
    documentKey('docId'),
    [
      ['N-01', 0.7],
      ['N-02', 0.64],
      ['N-03', 0.52],
    ],
  ],
  ['24a-before-reindex', documentKey('title'), [['gear-shift.pdf', 0.81]]],
  ['24b-after-reindex', documentKey('title'), [['gear-shift.pdf', 0.81]]],
  [
    '25-metadata-key-missing',
    documentKey('docId'),
    [
      ['N-01', 0.77],
      [null, 0.74],
      [null, 0.69],
      [null, 0.5],
    ],
  ],
  [
    '26-many-values-and-colliding-keys',
    chunkKey('docId'),
    [
      ['N-11', 0.66],
      ['N-12', 0.6],
    ],
  ],
  [
    '27-aggregated-differs-from-dense',
    documentKey('docId'),
    [
      ['N-21', 1.41],
      ['N-22', 0.93],
      ['N-23', -0.02],
    ],
  ],
  [
    '28-ties-and-bad-scores',
    documentKey('docId'),
    [
      ['N-31', 0.5],
      ['N-32', 0.5],
      ['N-33', 0.49],
      ['N-34', null],
    ],
  ],
  [
    '29-unusual-text',
    documentKey('docId'),
    [
      ['Pr\u00fcfplan \u00e4.pdf', 0.59],
      ['a b\tc.pdf', 0.57],
    ],
  ],
];

export const processedShapes: readonly (readonly [
  file: string,
  operation: string,
  ranking: Ranked,
])[] = [
  [
    '15-reranker',
    'rerank-all',
    [
      ['N-01', 0.9127],
      [null, 0.8835],
      ['N-03', 0.4471],
      ['N-02', 0.221],
    ],
  ],
  [
    '16-score-reuse',
    'merged',
    [
      ['N-02', 0.66],
      ['N-03', 0.64],
    ],
  ],
  [
    '17-nested-post-processing',
    'outer-rerank',
    [
      ['N-03', 0.77],
      ['N-01', 0.31],
    ],
  ],
];
