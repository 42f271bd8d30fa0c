type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One SVG element as text. `content` is markup already; attributes are escaped here. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${toValue(value)}"`)
    .join('');
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

/** The whole picture, named by its title. No styles inside: a strict Content-Security-Policy would drop them. */
export function picture(
  size: { readonly width: number; readonly height: number },
  title: string,
  content: readonly string[],
): string {
  const width = toValue(size.width);
  const height = toValue(size.height);
  return element(
    'svg',
    {
      class: 'chart',
      viewBox: `0 0 ${width} ${height}`,
      width: size.width,
      height: size.height,
      role: 'img',
      'aria-label': title,
    },
    content.join(''),
  );
}

export function label(attributes: Attributes, text: string): string {
  return element('text', attributes, escapeText(text));
}

/** What a pointer that rests on the element shows. */
export function hint(text: string): string {
  return element('title', {}, escapeText(text));
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** So many characters of a name fit into a width; the rest is an ellipsis. */
export function shorten(text: string, width: number): string {
  const fitting = Math.max(1, Math.floor(width / characterWidth));
  return text.length <= fitting ? text : `${text.slice(0, fitting - 1)}…`;
}

/** Of the font at 12 px, on average. */
const characterWidth = 6.6;

/** A hundredth of a pixel is enough, and keeps the text short. */
function toValue(value: string | number | undefined): string {
  return typeof value === 'number'
    ? String(Math.round(value * 100) / 100)
    : escapeText(value ?? '');
}
