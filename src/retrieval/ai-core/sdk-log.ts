import { Writable } from 'node:stream';

import { disableExceptionLogger, setGlobalTransports } from '@sap-cloud-sdk/util';

import { redact } from './sap-error.ts';

/** Where the lines of the SDK go. */
export type SdkLog = Readonly<
  Record<'error' | 'warn' | 'info' | 'debug', (about: { sdk: string }, message: string) => void>
>;

/**
 * Writes what the SAP Cloud SDK logs to the log of the service, in place of the coloured text that the SDK
 * writes to the standard output. Messages alone: the SDK's metadata may hold whole requests. The SDK no longer
 * writes exceptions that nothing has caught, which Node.js reports itself.
 */
export function routeSdkLog(log: SdkLog): void {
  disableExceptionLogger();
  const lines = new Writable({
    objectMode: true,
    write(line: SdkLine, _encoding, done) {
      const sdk = line.custom_fields?.messageContext ?? 'sap-cloud-sdk';
      log[toLevel(String(line[levelKey]))]({ sdk }, toMessage(line));
      done();
    },
  });
  // The SDK has a logger for each of its modules, and all of them write here.
  lines.setMaxListeners(0);
  // Winston takes a stream for a transport when it has this.
  const transport = Object.assign(lines, { log: () => undefined });
  setGlobalTransports(transport);
}

const levelKey = Symbol.for('level');

interface SdkLine {
  readonly message?: unknown;
  readonly custom_fields?: { readonly messageContext?: string };
  readonly [levelKey]?: unknown;
}

/** Winston's names. What is below `info` would show headers, and is for debugging only. */
function toLevel(level: string): keyof SdkLog {
  return level === 'error' || level === 'warn' || level === 'info' ? level : 'debug';
}

function toMessage({ message }: SdkLine): string {
  return redact(typeof message === 'string' ? message.trim() : 'no text');
}
