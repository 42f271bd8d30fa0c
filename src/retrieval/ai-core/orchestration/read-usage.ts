import { z } from 'zod';
import type { RetrievalCost } from '../../../model/outcome.ts';

/** The tokens that the model of an answer used; none where the answer does not say it. */
export function readUsage(body: unknown): Pick<RetrievalCost, 'promptTokens' | 'completionTokens'> {
  const { final_result: result, orchestration_result: older } = Answer.parse(body);
  const { prompt_tokens: promptTokens = 0, completion_tokens: completionTokens = 0 } =
    (result ?? older)?.usage ?? {};
  return { promptTokens, completionTokens };
}

const Result = z
  .object({ usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }) })
  .optional()
  .catch(undefined);

const Answer = z
  .object({ final_result: Result, orchestration_result: Result })
  .catch({ final_result: undefined, orchestration_result: undefined });
