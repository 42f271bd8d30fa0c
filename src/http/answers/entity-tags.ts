import { createHash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

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
  const known = request.headers['if-none-match']?.split(',').map((part) => part.trim());
  if (!known?.some((part) => part === '*' || part.replace(/^W\//, '') === tag)) return false;
  void reply.code(304).send();
  return true;
}
