import type { z } from 'zod';

import { nonEmptyText } from './vocabulary.ts';

/** Prefixes of the names that the service gives itself, schedules and clients where it records who did something. */
const reservedPrefixes = ['schedule/', 'service/', 'client/'];

/** Joiners between letters, which some languages need. Every other format character is invisible or turns text around. */
const joiners = /[\u200C\u200D]/g;

/**
 * Why a text cannot be the name of a user: it could be taken for another name where it is shown or recorded.
 * Undefined: it can.
 */
export function findNameIssue(name: string): string | undefined {
  const visible = name.replaceAll(joiners, '');
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(visible)) return 'must not contain control characters';
  const plain = visible.normalize('NFKC').trim().toLowerCase();
  const prefix = reservedPrefixes.find((reserved) => plain.startsWith(reserved));
  return prefix && `must not start with ${prefix}, which the service keeps for its own names`;
}

/** The name of a person or of a user whose questions are asked. */
export function userName(maxLength: number): z.ZodString {
  return nonEmptyText(maxLength).check((context) => {
    const message = findNameIssue(context.value);
    if (message !== undefined) {
      context.issues.push({ code: 'custom', message, input: context.value });
    }
  });
}
