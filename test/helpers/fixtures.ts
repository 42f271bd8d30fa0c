/** Three documents whose words do not overlap but for the product. */
export const pumpDocuments = [
  {
    id: 'P1',
    title: 'Pump does not start',
    paragraphs: ['Check the fuse before you replace the motor.'],
    metadata: { plant: ['north'] },
  },
  {
    id: 'P2',
    title: 'Pump leaks oil',
    paragraphs: ['Replace the seal ring. Oil on the floor is dangerous.'],
    metadata: { plant: ['south'] },
  },
  {
    id: 'P3',
    title: 'Yearly inspection',
    paragraphs: ['The inspector signs the protocol.'],
    metadata: { plant: ['north', 'south'] },
  },
];

export const pumpLexicon = {
  stopwords: ['the', 'is', 'on', 'you', 'a', 'does', 'not'],
  concepts: { leaking: ['leaks', 'drips', 'oil'], starting: ['start', 'starts', 'runs'] },
};

export const pumpQuestions = [
  { id: 'q1', text: 'pump drips oil', kind: 'mixed', relevant: { P2: 2 } },
  { id: 'q2', text: 'replace fuse', kind: 'mixed', relevant: { P1: 2, P2: 0 }, tags: ['a', 'b'] },
  { id: 'q3', text: 'who signs the protocol', kind: 'policy', relevant: { P3: 1 }, tags: ['b'] },
  { id: 'q4', text: 'colour of the pump house', answerable: false },
];

export const bm25 = { backend: 'local', corpus: 'pumps', method: 'bm25' };
export const hybrid = { backend: 'local', corpus: 'pumps', method: 'hybrid' };
