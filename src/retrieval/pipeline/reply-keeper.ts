import type { StageReplies } from '../../model/pipeline-trace.ts';
import { cutText } from './declared-data.ts';

/** Characters that are kept of one reply, and of all replies of a stage for one question. */
const maxReplyLength = 2000;
const maxRepliesLength = 8000;

export interface ReplyKeeper {
  readonly add: (reply: string) => void;
  /** Undefined: nothing was replied. */
  readonly read: () => StageReplies | undefined;
}

/** Keeps the start of each reply until all together are too long, and counts the others. */
export function createReplyKeeper(): ReplyKeeper {
  const texts: string[] = [];
  let length = 0;
  let omitted = 0;
  return {
    add(reply) {
      const text = cutText(reply, maxReplyLength).toWellFormed();
      if (omitted > 0 || length + text.length > maxRepliesLength) {
        omitted += 1;
        return;
      }
      length += text.length;
      texts.push(text);
    },
    read: () => (texts.length + omitted === 0 ? undefined : { texts: [...texts], omitted }),
  };
}
