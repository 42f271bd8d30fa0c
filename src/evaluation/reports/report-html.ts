import { Marked } from 'marked';

/**
 * Turns a Markdown report into a page that needs nothing from elsewhere. `escape` keeps names and texts from being
 * markup. Besides, the page has no links, images, raw HTML or strikethrough, because a report uses none of them.
 */
export function reportAsHtml(markdown: string): string {
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? 'Evaluation';
  const plainTitle = title.replaceAll(/\\(.)/g, '$1');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(plainTitle)}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1d2d3e; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { border-bottom: 1px solid #d9d9d9; padding: 0.3rem 0.8rem; font-variant-numeric: tabular-nums; }
th { border-bottom: 2px solid #788fa6; }
</style>
</head>
<body>
${renderer.parse(markdown, { async: false })}</body>
</html>
`;
}

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

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
