import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';

import { AppError } from '../../errors.ts';
import { pagePolicy } from '../security-headers.ts';

export interface PageRoutesOptions {
  /** Default: the output folder of the build. */
  readonly folder?: string | undefined;
}

const builtPages = fileURLToPath(new URL('../../../dist/web', import.meta.url));

/** Files with a hash of their content in their names, which never change. */
const assets = /^assets\/[\w.-]+$/;
const files = /^[\w-]+\.(svg|webmanifest)$/;

/**
 * The web pages: static files, and one document for every address below `/ui/`, in which the script finds its own
 * way. Whatever else the pages need comes from the routes of `/v1`.
 */
export const pageRoutes: FastifyPluginAsync<PageRoutesOptions> = async (app, options) => {
  const { folder = builtPages } = options;
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    suppressWarning: true,
  });

  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    reply.header('vary', 'accept');
    const wantsPage = request.accepts().type(['json', 'html']) === 'html';
    if (!wantsPage) throw notFound('GET / does not exist; the pages are at /ui/');
    return reply.redirect('/ui/', 303);
  });

  app.get('/ui', { schema: { hide: true } }, async (_request, reply) =>
    reply.redirect('/ui/', 308),
  );

  app.get<{ Params: { '*': string } }>(
    '/ui/*',
    { schema: { hide: true } },
    async (request, reply) => {
      const path = request.params['*'];
      reply.header('content-security-policy', pagePolicy);
      if (assets.test(path) || files.test(path)) {
        if (!existsSync(`${folder}/${path}`)) throw notFound(`/ui/${path} does not exist`);
        const lasting = assets.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
        return reply.header('cache-control', lasting).sendFile(path);
      }
      if (!existsSync(`${folder}/index.html`)) {
        throw notFound('The pages are not built; run npm run build:web');
      }
      return reply.header('cache-control', 'no-cache').sendFile('index.html');
    },
  );
};

function notFound(detail: string): AppError {
  return new AppError('not-found', detail);
}
