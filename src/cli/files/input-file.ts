import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

import { CommandError } from '../exit-codes.ts';
import { detectFormat, type FileFormat } from './detect-format.ts';

/** A file, or standard input, that is being read. */
export interface InputFile {
  /** As the caller named it, for errors. */
  readonly name: string;
  readonly format: FileFormat;
  /** The first bytes, unpacked: enough to see the format. */
  readonly head: Uint8Array;
  /** In bytes, where it is known: of a file that is not packed. */
  readonly size?: number | undefined;
  /** All bytes, unpacked. To be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

const chunkBytes = 2 ** 20;

/** Opens a file, or standard input for `-`. What is packed with gzip is unpacked, whatever its name. */
export async function openInput(path: string): Promise<InputFile> {
  const name = path === '-' ? 'standard input' : path;
  try {
    const packed = await peek(openStream(path));
    const isPacked = packed.head[0] === 0x1f && packed.head[1] === 0x8b;
    const opened = isPacked ? await peek(unpack(packed.chunks)) : packed;
    const size = path === '-' || isPacked ? undefined : (await stat(path)).size;
    const format = detectFormat(path, opened.head);
    return { name, format, head: opened.head, size, chunks: named(name, opened.chunks) };
  } catch (cause) {
    throw toReadError(name, cause);
  }
}

/** Reads a whole file. */
export async function readBytes({ chunks }: InputFile): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** Reads a whole file as text. */
export async function readText(file: InputFile): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(file));
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`${file.name}: is not valid UTF-8`, undefined, cause);
  }
}

function openStream(path: string): AsyncIterable<Uint8Array> {
  if (path === '-') return process.stdin as AsyncIterable<Uint8Array>;
  return createReadStream(path, { highWaterMark: chunkBytes }) as AsyncIterable<Uint8Array>;
}

function unpack(chunks: AsyncIterable<Uint8Array>): Readable {
  const unpacked = new PassThrough({ highWaterMark: chunkBytes });
  pipeline(chunks, createGunzip(), unpacked).catch((error: Error) => unpacked.destroy(error));
  return unpacked;
}

/** Reads the first chunk of some bytes, and hands it on with the others. */
async function peek(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ readonly head: Uint8Array; readonly chunks: AsyncIterable<Uint8Array> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  const head = first.done === true ? new Uint8Array(0) : first.value;
  async function* all(): AsyncGenerator<Uint8Array> {
    if (first.done === true) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head, chunks: all() };
}

async function* named(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (cause) {
    throw toReadError(name, cause);
  }
}

function toReadError(name: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause)) return cause;
  const reason = reasons[String(cause.code)] ?? cause.message;
  return new CommandError(`${name}: ${reason}`, undefined, cause);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'is a folder',
  EACCES: 'may not be read',
  Z_DATA_ERROR: 'is damaged: it begins as gzip does, and cannot be unpacked',
  Z_BUF_ERROR: 'is damaged: it is packed with gzip, and ends before its end',
};
