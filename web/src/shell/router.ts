/** Where a reader is. Whatever a page shows is in its address, so that a link shows what they see. */
export interface Route {
  readonly page: PageName;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export type PageName = (typeof patterns)[number][0] | 'missing';

const patterns = [
  ['home', '/ui/'],
  ['evaluation', '/ui/evaluations/:id'],
  ['questions', '/ui/evaluations/:id/questions'],
  ['question', '/ui/evaluations/:id/questions/:question'],
  ['judge', '/ui/judge/:set'],
  ['comparison', '/ui/comparisons'],
  ['trends', '/ui/trends/:baseline'],
  ['funnel', '/ui/funnel/:id'],
  ['question-set', '/ui/question-sets/:set'],
] as const;

export function findRoute({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Route {
  const query = new URLSearchParams(search);
  for (const [page, pattern] of patterns) {
    const params = matchPath(pattern, pathname);
    if (params) return { page, params, query };
  }
  return { page: 'missing', params: {}, query };
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const parts = path.split('/');
  if (parts.length !== wanted.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const found = parts[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== found) return undefined;
    } else {
      if (found === '') return undefined;
      params[part.slice(1)] = decodeURIComponent(found);
    }
  }
  return params;
}

/** The address of a page: parts are encoded, and parameters without a value are left out. */
export function pathTo(
  parts: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  const search = new URLSearchParams(given).toString();
  const path = ['/ui', ...parts.map(encodeURIComponent)].join('/');
  return `${path}${parts.length === 0 ? '/' : ''}${search === '' ? '' : `?${search}`}`;
}

const changed = new EventTarget();

export function onNavigation(listener: () => void): void {
  changed.addEventListener('change', listener);
  addEventListener('popstate', listener);
}

/** Goes to an address of these pages. `replace`: the state of a page changed, which is no step back to make. */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  changed.dispatchEvent(new Event('change'));
}

/** Lets links between pages do without loading the document again. */
export function followLinks(event: MouseEvent): void {
  const plain =
    event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!plain || event.defaultPrevented) return;
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
  if (!link || link.target !== '' || link.hasAttribute('download')) return;
  const url = new URL(link.href, location.href);
  if (url.origin !== location.origin || !url.pathname.startsWith('/ui/') || url.hash !== '') return;
  event.preventDefault();
  navigate(url.pathname + url.search);
}
