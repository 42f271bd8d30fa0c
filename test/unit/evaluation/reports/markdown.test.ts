import { marked } from 'marked';
import { describe, expect, it } from 'vitest';

import { escape, table } from '../../../../src/evaluation/reports/markdown.ts';
import { reportAsHtml } from '../../../../src/evaluation/reports/report-html.ts';
import { nastyNames } from '../../../helpers/nasty-names.ts';

describe.each(nastyNames)('the name %j', (name) => {
  const text = escape(name);
  const document = `# Evaluation ${text}\n\n${text}\n\n- ${text}\n\n${table(['x'], [[text]]).join('\n')}\n`;

  // marked as it comes reads GitHub Flavored Markdown, automatic links included: the reader of a report is another program.
  it.each([
    ['by another reader of its Markdown', marked.parse(document, { async: false })],
    ['by the HTML report', /<body>([^]*)<\/body>/.exec(reportAsHtml(document))?.[1] ?? ''],
  ])('is shown as text %s', (_reader, html) => {
    expect(readText(html)).toEqual([`Evaluation ${name}`, name, name, 'x', name]);
    const withoutFrames = html.replaceAll('<div class="scroll" tabindex="0">', '');
    expect(new Set(withoutFrames.match(/<[a-z]+[1-6]?/g))).toEqual(
      new Set(['<h1', '<p', '<ul', '<li', '<table', '<thead', '<tbody', '<tr', '<th', '<td']),
    );
  });
});

describe('the HTML report', () => {
  it('renders no link, raw HTML or strikethrough, even where a text is not escaped', () => {
    const html = reportAsHtml(
      'see https://a.example www.a.example a@b.example [a](https://a.example) <https://a.example> ~~x~~ <b>x</b>\n\n<div>x</div>\n',
    );

    expect(/<body>([^]*)<\/body>/.exec(html)?.[1]).not.toMatch(/<(?!\/?p>)/);
  });
});

/** The texts of a page as a browser shows them, tag by tag. */
function readText(html: string): readonly string[] {
  return html
    .split(/<[^>]*>/)
    .map((text) => decode(text).trim())
    .filter((text) => text !== '');
}

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
