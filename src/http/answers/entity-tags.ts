import { createHash } from 'node:crypto';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Sets the strong ETag of an answer: the state of the resource, and after a dot what else decides the bytes
 * of this representation. `If-Match` compares the state.
 */
export function tagState(
  reply: Pick<FastifyReply, 'header'>,
  state: string,
  parts: readonly unknown[] = [],
): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  const tag = parts.length === 0 ? `"${state}"` : `"${state}.${hash.slice(0, 22)}"`;
  reply.header('etag', tag);
  return tag;
}

/**
 * Sets the ETag of an answer that is a stream. True when the client has that answer: then 304 is sent and
 * nothing more is to be done.
 */
export function setEntityTag(
  request: FastifyRequest,
  reply: FastifyReply,
  { state, parts }: { readonly state: string; readonly parts: readonly unknown[] },
): boolean {
  const tag = tagState(reply, state, parts);
  reply.header('vary', 'accept');
  if (!isKnown(request, tag)) return false;
  void reply.code(304).send();
  return true;
}

/**
 * Tags the answers to reads: one whose route sets no state gets a hash of its bytes. Sends 304 when the client has the
 * answer. Answers to changes have the state that the change left, or no tag: `If-Match` knows no other.
 */
export function tagReads(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!['GET', 'HEAD'].includes(request.method) || reply.statusCode !== 200) return payload;
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (!reply.hasHeader('etag')) {
      reply.header('etag', `"${createHash('sha256').update(payload).digest('base64url')}"`);
    }
    if (!isKnown(request, String(reply.getHeader('etag')))) return payload;
    reply.code(304);
    return '';
  });
}

/** Whether the client has the answer with that tag. */
function isKnown({ headers }: FastifyRequest, tag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((part) => part.trim()) ?? [];
  return known.some((part) => part === '*' || part.replace(/^W\//, '') === tag);
}
