import { Marked } from 'marked';

import { chartStyles } from '../../charts/chart-styles.ts';
import { escapeHtml } from './html.ts';
import type { ReportPicture } from './report-charts.ts';

/**
 * Turns a Markdown report into a page that needs nothing from elsewhere. `escape` keeps names and texts from being
 * markup; `questions` is markup already. Besides, the page has no links, images, raw HTML or strikethrough, because a report uses none of them.
 */
export function reportAsHtml(markdown: string, picture?: ReportPicture, questions = ''): string {
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? 'Evaluation';
  const plainTitle = title.replaceAll(/\\(.)/g, '$1');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(plainTitle)}</title>
<style>${styles}${chartStyles}</style>
</head>
<body>
${writeBody(markdown, picture)}${questions}
</body>
</html>
`;
}

function writeBody(markdown: string, picture: ReportPicture | undefined): string {
  const html = renderer
    .parse(markdown, { async: false })
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  if (!picture) return html;
  // The first heading is the title; nothing in the text can look like one, because it is escaped.
  const end = html.indexOf('</h1>') + '</h1>'.length;
  return `${html.slice(0, end)}\n${writePicture(picture)}${html.slice(end)}`;
}

function writePicture({ summary, charts }: ReportPicture): string {
  const figures = charts.map(
    ({ narrow, wide }) => `<figure>
<figcaption>${escapeHtml(wide.title)}</figcaption>
<div class="narrow">${narrow.svg}</div>
<div class="wide">${wide.svg}</div>
</figure>`,
  );
  return [`<p class="summary">${escapeHtml(summary)}</p>`, ...figures].join('\n');
}

const styles = `
:root { color-scheme: light dark; --text: #1d2d3e; --quiet: #556b82; --line: #d9d9d9; --back: #fff; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: var(--text); background: var(--back); overflow-wrap: anywhere; }
h1 { line-height: 1.2; }
.summary { font-size: 1.2rem; }
figure { margin: 1.5rem 0; }
figcaption { font-weight: bold; margin-bottom: 0.5rem; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.8rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th { border-bottom: 2px solid var(--quiet); }
details { margin: 0.5rem 0; }
summary { cursor: pointer; font-weight: bold; }
.narrow { display: none; }
@media (max-width: 760px) { .narrow { display: block; } .wide { display: none; } body { margin: 1rem auto; } }
@media (prefers-color-scheme: dark) {
  :root { --text: #eaecee; --quiet: #a9b4be; --line: #3c4955; --back: #12171c; --chart-text: #eaecee; --chart-quiet: #a9b4be; --chart-grid: #3c4955; --chart-axis: #8396a8; --chart-mark: #4db1ff; --chart-background: #12171c; }
}
@media print {
  :root { color-scheme: light; --text: #000; --quiet: #444; --line: #bbb; --back: #fff; --chart-text: #000; --chart-quiet: #444; --chart-grid: #ddd; --chart-mark: #0057d2; --chart-background: #fff; }
  body { margin: 0; max-width: none; font-size: 11px; }
  .scroll { overflow: visible; }
  figure, tr { break-inside: avoid; }
  .narrow { display: none; }
  .wide { display: block; }
}
`;

const ignore = (): undefined => undefined;

/** A tokenizer that returns undefined leaves its characters to the one for plain text. */
const renderer = new Marked({
  tokenizer: {
    autolink: ignore,
    del: ignore,
    html: ignore,
    link: ignore,
    reflink: ignore,
    tag: ignore,
    url: ignore,
  },
});
