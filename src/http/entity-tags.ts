import { createHash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Sets the ETag of an answer that is a stream, from what decides its bytes. True when the client has that
 * answer: then 304 is sent and nothing more is to be done.
 */
export function setEntityTag(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: readonly unknown[],
): boolean {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  const tag = `"${hash}"`;
  reply.header('etag', tag);
  reply.header('vary', 'accept');
  const known = request.headers['if-none-match']?.split(',').map((part) => part.trim());
  if (!known?.some((part) => part === '*' || part.replace(/^W\//, '') === tag)) return false;
  void reply.code(304).send();
  return true;
}
