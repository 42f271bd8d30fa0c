import { RetrieverError } from '../../errors.ts';
import type { ChatModel, ModelAccess } from '../chat-model.ts';
import type { ModelStage } from '../../model/pipeline-configuration.ts';
import { StageFailure, type StageRun } from './stage-run.ts';

/** A language model as one stage calls it. */
export interface StageModel {
  readonly chat: ChatModel;
  readonly access: ModelAccess;
  readonly stage: ModelStage;
  /** The stage's instruction. */
  readonly prompt: string;
  /** A hypothetical passage is shown nowhere, so that its reply is not kept. Default: true. */
  readonly keepsReply?: boolean | undefined;
}

/**
 * Sends the instruction and the data, and meters what it cost. Calls of one stage share its time: each has what
 * those before it left.
 */
export async function askModel(
  { chat, access, stage, prompt, keepsReply = true }: StageModel,
  data: string,
  { signal, meter, replies }: StageRun,
): Promise<string> {
  const leftMs = Math.ceil(stage.timeoutMs - meter.read().latencyMs);
  if (leftMs <= 0) throw new StageFailure('timeout', `No result within ${stage.timeoutMs} ms`);
  const { model, maxTokens, temperature } = stage;
  try {
    const { text, attempts, ...spent } = await chat.complete({
      ...access,
      model,
      maxTokens,
      temperature,
      messages: [
        { role: 'system', content: prompt },
        { role: 'user', content: data },
      ],
      timeoutMs: leftMs,
      signal,
    });
    meter.add({ ...spent, modelCalls: attempts });
    if (keepsReply) replies?.add(text);
    return text;
  } catch (error) {
    meter.add({ modelCalls: error instanceof RetrieverError ? error.attempts : 1 });
    throw error;
  }
}
