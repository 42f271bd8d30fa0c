import type { VersionKind } from '../../model/pipeline-trace.ts';
import type { ConversationTurn } from '../../model/question.ts';
import { toWording } from '../../ir/rewriting/reply-lines.ts';
import type { Rewrite } from '../../model/pipeline-configuration.ts';
import type { StageJournal, StageRun } from './stage-run.ts';

/** Makes other versions of a question. */
export interface Rewriter {
  readonly type: Rewrite['type'];
  readonly promptHash?: string | undefined;
  /** None where there is nothing to rewrite. Throws RetrieverError or StageFailure when it fails or is late. */
  readonly rewrite: (asked: AskedText, run: StageRun) => Promise<readonly string[]>;
}

export interface AskedText {
  readonly question: string;
  /** Oldest first. */
  readonly history: readonly ConversationTurn[];
}

export interface QuestionVersion {
  readonly kind: VersionKind;
  readonly text: string;
}

export interface RewrittenQuestion {
  /** The question first, then what the rewriters made of it, each wording once. */
  readonly versions: readonly QuestionVersion[];
  /** The question as a follow-up rewriter completed it, else as it was asked. */
  readonly complete: string;
}

/** Runs the rewriters in sequence, each on the question as completed so far. */
export async function rewriteQuestion(
  { question, history }: AskedText,
  rewriters: readonly Rewriter[],
  { journal, signal }: { readonly journal: StageJournal; readonly signal: AbortSignal },
): Promise<RewrittenQuestion> {
  const versions: QuestionVersion[] = [{ kind: 'original', text: question }];
  const wordings = new Set([toWording(question)]);
  let complete = question;
  for (const { type, promptHash, rewrite } of rewriters) {
    // Without a conversation a question is complete, and no model is asked.
    if (type === 'followUp' && history.length === 0) continue;
    const asked = { question: complete, history };
    const part = { stage: 'rewrite', type, promptHash } as const;
    const texts = await journal.run(part, signal, (run) => rewrite(asked, run));
    for (const text of texts ?? []) {
      if (wordings.has(toWording(text))) continue;
      wordings.add(toWording(text));
      versions.push({ kind: type, text });
    }
    if (type === 'followUp') complete = texts?.[0] ?? complete;
  }
  return { versions, complete };
}
