import { Readable } from 'node:stream';

import type { FastifyReply } from 'fastify';

import { createYieldToEventLoop } from '../../yield-to-event-loop.ts';

/**
 * A JSON object one of whose fields is a list or an object too large to hold: its members are written as they
 * come. `tail` makes the fields that are known only then.
 */
export function streamJson(head: object, field: string, members: JsonMembers): Readable {
  return Readable.from(inBlocks(jsonParts(head, field, members)));
}

export interface JsonMembers {
  readonly brackets: '[]' | '{}';
  readonly entries: AsyncIterable<string>;
  readonly tail?: () => object;
}

/** The text of `streamJson`, part by part. */
export async function* jsonParts(
  head: object,
  field: string,
  { brackets: [open, close], entries, tail }: JsonMembers,
): AsyncGenerator<string> {
  const start = JSON.stringify(head).slice(0, -1);
  yield `${start}${start === '{' ? '' : ','}${JSON.stringify(field)}:${open}`;
  let separator = '';
  for await (const entry of entries) {
    yield `${separator}${entry}`;
    separator = ',';
  }
  const end = JSON.stringify(tail?.() ?? {}).slice(1);
  yield `${close}${end === '}' ? '' : ','}${end}`;
}

/** A JSON object too large to hold, from its members. */
export function streamObject(members: AsyncIterable<string>): Readable {
  async function* parts(): AsyncGenerator<string> {
    let separator = '{';
    for await (const member of members) {
      yield `${separator}${member}`;
      separator = ',';
    }
    yield separator === '{' ? '{}' : '}';
  }
  return Readable.from(inBlocks(parts()));
}

/** One line of text for each item. */
export function streamLines<Item>(
  items: AsyncIterable<Item>,
  toLine: (item: Item) => string,
): Readable {
  async function* lines(): AsyncGenerator<string> {
    for await (const item of items) yield `${toLine(item)}\n`;
  }
  return Readable.from(inBlocks(lines()));
}

/** Large enough that handing a block on costs little beside making it. */
const blockLength = 64 * 1024;

/** The same text in fewer parts; others get their turn in between, for text that never waits for anything. */
export async function* inBlocks(parts: AsyncIterable<string>): AsyncGenerator<string> {
  const yieldToEventLoop = createYieldToEventLoop();
  let block = '';
  for await (const part of parts) {
    block += part;
    await yieldToEventLoop();
    if (block.length < blockLength) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}

/** Each item as it is written in a JSON list. */
export async function* mapStream<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  toText: (item: Item) => string,
): AsyncGenerator<string> {
  for await (const item of items) yield toText(item);
}

/** Answers with a stream, whatever type the route's schema gives its answers. */
export function sendStream<Reply extends object>(
  reply: Reply,
  { type, stream }: { readonly type: string; readonly stream: Readable },
): Reply {
  void (reply as unknown as FastifyReply).type(type).send(stream);
  return reply;
}
