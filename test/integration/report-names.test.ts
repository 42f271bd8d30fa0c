import { marked } from 'marked';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startService, type TestService } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';
import { bm25, pumpDocuments, pumpLexicon } from '../helpers/fixtures.ts';
import { nastyNames } from '../helpers/nasty-names.ts';

describe('reports with nasty names', () => {
  let service: TestService;
  let markdown = '';
  let html = '';
  // As long as a label may be, nearly.
  const label = nastyNames.join(' ').slice(0, 250).trim();

  beforeAll(async () => {
    service = await startService();
    const { app } = service;
    const corpus = { documents: pumpDocuments, lexicon: pumpLexicon };
    await ask(app, 'PUT', '/v1/corpora/pumps', { body: corpus });
    const questions = nastyNames.map((name) => ({
      id: name,
      text: 'pump drips oil',
      kind: name,
      user: name,
      tags: [name],
      relevant: { P2: 1 },
    }));
    await ask(app, 'PUT', '/v1/question-sets/nasty', { body: { questions } });
    const south = { documentMetadata: [{ key: 'plant', value: ['south'] }] };
    const users = Object.fromEntries(nastyNames.map((name) => [name, south]));
    const { id } = await evaluate(app, {
      questionSet: 'nasty',
      configurations: [{ name: 'bm25', ...bm25, users }],
      sliceBy: ['kind', 'tags', 'user'],
      label,
    });
    markdown = (await app.inject(`/v1/eval/${id}/report?format=markdown`)).body;
    html = (await app.inject(`/v1/eval/${id}/report?format=html`)).body;
  });
  afterAll(() => service.close());

  it.each([
    // By kind, by tag and by user.
    ['Markdown', 3, () => marked.parse(markdown, { async: false })],
    // By kind once more, in the table of the heatmap.
    ['HTML', 4, () => /<body>([^]*)<\/body>/.exec(html)?.[1] ?? ''],
  ])('show them as text in %s', (_format, places, render) => {
    const page = render();
    const cells = [...page.matchAll(/<td>([^<]*)<\/td>/g)].map(([, cell = '']) => decode(cell));

    expect(page).not.toMatch(/<(a|del|em|img|b|hr|blockquote|ol)[ >]/);
    expect(page).not.toContain('<code>c</code>');
    expect(decode(/<h1>([^<]*)<\/h1>/.exec(page)?.[1] ?? '')).toBe(`Evaluation ${label}`);
    for (const name of nastyNames) {
      expect(cells.filter((cell) => cell === name)).toHaveLength(places);
    }
  });

  it('show the label as the title', () => {
    expect(decode(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? '')).toBe(`Evaluation ${label}`);
  });
});

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
