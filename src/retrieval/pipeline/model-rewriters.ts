import { readReplyLines, toWording } from '../../ir/rewriting/reply-lines.ts';
import { cutText, declareData, onOneLine, withoutTags } from './declared-data.ts';
import { hashPrompt } from './prompts.ts';
import type { AskedText, Rewriter } from './rewrite-question.ts';
import { askModel, type StageModel } from './stage-model.ts';
import { StageFailure } from './stage-run.ts';

/** Longer lines of a reply are no question. */
const maxVersionLength = 1000;
const maxPassageLength = 4000;
/** Of a conversation's turn, what the model is shown. */
const maxTurnLength = 4000;

/** Asks for other wordings of the question. */
export function createLlmRewriter(model: StageModel, versions: number): Rewriter {
  const asked = { ...model, prompt: model.prompt.replaceAll('{{versions}}', String(versions)) };
  return {
    type: 'llm',
    promptHash: hashPrompt(model.prompt),
    async rewrite({ question }, run) {
      const reply = await askModel(asked, declareQuestion(question), run);
      const wordings = readReplyLines(reply, maxVersionLength);
      if (wordings.length === 0) throw unusable('contains no versions of the question');
      const own = toWording(question);
      return wordings.filter((wording) => toWording(wording) !== own).slice(0, versions);
    },
  };
}

/** Asks for a passage that would answer the question: it is searched and never shown. */
export function createHydeRewriter(model: StageModel): Rewriter {
  return {
    type: 'hyde',
    promptHash: hashPrompt(model.prompt),
    async rewrite({ question }, run) {
      const hidden = { ...model, keepsReply: false };
      const reply = await askModel(hidden, declareQuestion(question), run);
      const passage = cutText(reply.trim(), maxPassageLength);
      if (!/[\p{L}\p{N}]/u.test(passage)) throw unusable('contains no passage');
      return [passage];
    },
  };
}

/** Asks for the question as it reads without the conversation before it. */
export function createFollowUpRewriter(model: StageModel): Rewriter {
  return {
    type: 'followUp',
    promptHash: hashPrompt(model.prompt),
    async rewrite(asked, run) {
      const reply = await askModel(model, declareConversation(asked), run);
      const [question] = readReplyLines(reply, maxVersionLength);
      if (question === undefined) throw unusable('contains no question');
      return [question];
    },
  };
}

function declareQuestion(question: string): string {
  return declareData('question', withoutTags(question));
}

function declareConversation({ question, history }: AskedText): string {
  const turns = history.map(
    ({ role, text }) => `${role}: ${onOneLine(cutText(text, maxTurnLength))}`,
  );
  return `${declareData('conversation', turns.join('\n'))}\n${declareQuestion(question)}`;
}

function unusable(what: string): StageFailure {
  return new StageFailure('unusable-reply', `The reply of the model ${what}`);
}
