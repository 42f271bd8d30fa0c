import type { FastifyInstance } from 'fastify';

/** Records the routes that are registered from now on. Returns a function that lists the methods of a path, sorted. */
export function watchMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const methodsByPattern = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPattern.get(url) ?? new Set<string>();
    for (const each of [method].flat()) methods.add(each);
    methodsByPattern.set(url, methods);
  });
  return (path) => {
    const found = [...methodsByPattern].filter(([pattern]) => toExpression(pattern).test(path));
    return [...new Set(found.flatMap(([, methods]) => [...methods]))].toSorted();
  };
}

/** A route's address: `:name` stands for one part of the path, `*` for all that follows. */
function toExpression(pattern: string): RegExp {
  const parts = pattern.split(/(:\w+|\*)/).map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}$`);
}
