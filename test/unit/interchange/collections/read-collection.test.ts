import { describe, expect, it } from 'vitest';

import { readCollection } from '../../../../src/interchange/collections/read-collection.ts';

describe('readCollection', () => {
  it('reads documents in the form of SMART', () => {
    const text =
      '.I 1\n.T\nwing in a\nslipstream .\n.A\nnobody,n.\n.B\nj. of wings\n.W\nlift and\n  drag .\n.I 2\n.T\n.A\n.B\n.W\n';

    expect(readCollection(text)).toEqual([
      { id: '1', title: 'wing in a slipstream .', text: 'lift and drag .' },
      { id: '2', title: '', text: '' },
    ]);
  });

  it('reads topics in the form of SMART, with the line ends of Windows', () => {
    expect(
      readCollection('.I 001\r\n.W\r\nwhat is drag\r\n.I 4\r\n.W\r\nwhat is lift\r\n'),
    ).toEqual([
      { id: '001', title: '', text: 'what is drag' },
      { id: '4', title: '', text: 'what is lift' },
    ]);
  });

  it('reads documents of TREC, with tags inside and a lone <', () => {
    const text = `
<DOC>
<DOCNO> FT-1 </DOCNO>
<TITLE>Wings &amp; tails</TITLE>
<TEXT>
<P>Lift < drag
at rest.</P>
</TEXT>
</DOC>
<DOC><DOCNO>FT-2</DOCNO>What articles deal with TSS?
</DOC>
`;
    expect(readCollection(text)).toEqual([
      { id: 'FT-1', title: 'Wings & tails', text: 'Lift < drag at rest.' },
      { id: 'FT-2', title: '', text: 'What articles deal with TSS?' },
    ]);
  });

  it('reads topics of TREC, whose tags have no ends', () => {
    const text = `<top>
<num> Number: 301
<title> International Organized Crime
<desc> Description:
Identify organizations.
</top>
<top><num>302<title>Topic: Polio
</top>`;

    expect(readCollection(text)).toEqual([
      { id: '301', title: '', text: 'International Organized Crime' },
      { id: '302', title: '', text: 'Polio' },
    ]);
  });

  it.each([
    ['id,text\n1,a\n', 'line 1: is neither of the forms of test collections'],
    ['.I 1\n.W\na\n.I 1\n.W\nb\n', "'1' is there twice"],
    ['.I 1\nlost\n.W\na\n', 'line 2: stands before the first section'],
    ['.I 1\n.W\na\n.I\n.W\nb\n', 'line 4: .I has no number'],
    ['<DOC>\na\n</DOC>\n', 'line 1: has no <DOCNO>'],
    ['<DOC><DOCNO>1</DOCNO>a</DOC>\n<DOC><DOCNO>2</DOCNO>b\n', 'line 2: is outside every <DOC>'],
    ['<top>\n<num> 301\n</top>\n', 'line 1: has no <title>'],
  ])('refuses %j', (text, message) => {
    expect(() => readCollection(text)).toThrow(message);
  });
});
