import { RetrievalApi } from '@sap-ai-sdk/document-grounding';
import { z } from 'zod';

import { callAiCore, type CallOptions, sendRequest } from '../../ai-core/call-ai-core.ts';
import { explainForeignAnswer } from '../../ai-core/explain-failure.ts';

/** A data repository that filters can name. */
export interface DataRepository {
  readonly id: string;
  readonly title: string | null;
  readonly type: string | null;
  readonly metadata: readonly { readonly key: string; readonly value: readonly string[] }[];
}

export interface RepositoryPage {
  readonly items: readonly DataRepository[];
  /** Of all pages; null: AI Core did not say. */
  readonly count: number | null;
}

/** One page of a resource group's data repositories, in AI Core's order. */
export async function listRepositories(
  { limit, offset }: { readonly limit: number; readonly offset: number },
  options: CallOptions,
): Promise<RepositoryPage> {
  const query = { $top: limit, $skip: offset, $count: true };
  const headers = { 'AI-Resource-Group': options.resourceGroup };
  const send = sendRequest(() => RetrievalApi.getDataRepositories(query, headers));
  const answer = await callAiCore(send, options);
  const { data } = Repositories.safeParse(answer.body);
  if (!data) throw explainForeignAnswer(answer);
  return { items: data.resources, count: data.count };
}

const Repositories = z.object({
  resources: z.array(
    z.object({
      id: z.string(),
      title: z.string().nullish().transform(orNull),
      type: z.string().nullish().transform(orNull),
      metadata: z
        .array(z.object({ key: z.string(), value: z.array(z.string()) }))
        .nullish()
        .transform((entries) => entries ?? []),
    }),
  ),
  count: z.int().nullish().transform(orNull),
});

function orNull<Value>(value: Value | null | undefined): Value | null {
  return value ?? null;
}
