import { z } from 'zod';

/**
 * An operation of SAP's Retrieval API on what filters or other operations found. Fields that are not named
 * here are kept as they are.
 */
export interface PostProcessing {
  readonly id?: string | undefined;
  readonly maxChunkCount?: number | null | undefined;
  readonly strategy: { readonly type: string; readonly [field: string]: unknown };
  readonly inputs: readonly OperationInput[];
  readonly [field: string]: unknown;
}

export const PostProcessing: z.ZodType<PostProcessing, PostProcessing> = z.looseObject({
  id: z.string().optional(),
  maxChunkCount: z.number().nullish(),
  strategy: z.looseObject({ type: z.string() }),
  get inputs() {
    return z.array(z.union([PostProcessing, z.looseObject({ id: z.string() })]));
  },
});

/** Names a filter or an operation, or is an operation itself. */
export type OperationInput = PostProcessing | OperationReference;

export interface OperationReference {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** An operation with the keys that lead to it from the list of roots. */
export interface PlacedOperation {
  readonly operation: PostProcessing;
  readonly path: readonly (string | number)[];
}

export function isOperation(input: OperationInput): input is PostProcessing {
  return 'strategy' in input && 'inputs' in input;
}

/** Every operation, each behind those that it takes as inputs. */
export function listOperations(
  inputs: readonly OperationInput[],
  path: readonly (string | number)[] = [],
): readonly PlacedOperation[] {
  return inputs.flatMap((operation, index) => {
    if (!isOperation(operation)) return [];
    const place = [...path, index];
    return [...listOperations(operation.inputs, [...place, 'inputs']), { operation, path: place }];
  });
}
