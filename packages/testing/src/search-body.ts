import { z } from 'zod';

import type { FilterTree, SearchFilter } from '../../../src/model/filters.ts';
import { nestedError } from './sap-errors.ts';
import type { StubAnswer } from './stub-answer.ts';

export interface SearchBody {
  readonly query: string;
  readonly filters: readonly (SearchFilter & { readonly id: string })[];
  readonly postProcessing: readonly Operation[];
}

/** A post-processing operation: merges what its inputs brought back. */
export interface Operation {
  readonly id?: string | undefined;
  readonly maxChunkCount?: number | undefined;
  readonly strategy: { readonly type?: string | undefined };
  readonly inputs: readonly (Operation | InputReference)[];
}

/** Names a filter or another operation. */
export interface InputReference {
  readonly id: string;
}

export function isOperation(input: Operation | InputReference): input is Operation {
  return 'strategy' in input;
}

/** What SAP's Retrieval API would search, or the answer by which it refuses the request. */
export function readSearchBody(
  body: unknown,
  path: string,
): { readonly search: SearchBody } | { readonly refusal: StubAnswer } {
  const parsed = SearchBodySchema.safeParse(body);
  if (!parsed.success) {
    const details = parsed.error.issues.map(
      (issue) => `${['body', ...issue.path].join('.')}: ${issue.message}`,
    );
    return { refusal: { status: 422, body: nestedError(422, path, ...details) } };
  }
  const faults = [...listFilterFaults(parsed.data), ...listIdFaults(parsed.data)];
  if (faults.length === 0) return { search: parsed.data };
  return { refusal: { status: 400, body: nestedError(400, path, ...faults) } };
}

function listFilterFaults({ filters }: SearchBody): readonly string[] {
  return filters.flatMap(({ searchConfiguration, filter, documentMetadata }, index) => {
    const { maxChunkCount, maxDocumentCount } = searchConfiguration ?? {};
    const faults: string[] = [];
    if (maxChunkCount !== undefined && maxDocumentCount !== undefined) {
      faults.push('searchConfiguration: maxChunkCount and maxDocumentCount exclude each other.');
    }
    if (filter && documentMetadata && documentMetadata.length > 0) {
      faults.push('filter and documentMetadata exclude each other.');
    }
    if (filter && measureDepth(filter) > maxDepth) {
      faults.push(`filter: deeper than ${maxDepth} levels.`);
    }
    return faults.map((fault) => `filters.${index}.${fault}`);
  });
}

const maxDepth = 5;

function measureDepth(tree: FilterTree): number {
  if (!('operator' in tree)) return 1;
  return 1 + Math.max(measureDepth(tree.left), measureDepth(tree.right));
}

function listIdFaults({ filters, postProcessing }: SearchBody): readonly string[] {
  const inputs = postProcessing.flatMap(listInputs);
  const operations = inputs.filter(isOperation);
  const ids = [...filters, ...operations].flatMap(({ id }) => id ?? []);
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  const unknown = inputs.flatMap((input) => {
    return isOperation(input) || ids.includes(input.id) ? [] : input.id;
  });
  return [
    ...repeated.map((id) => `The id '${id}' is not unique.`),
    ...unknown.map((id) => `postProcessing: the input '${id}' is not known.`),
  ];
}

function listInputs(input: Operation | InputReference): readonly (Operation | InputReference)[] {
  return isOperation(input) ? [...input.inputs.flatMap(listInputs), input] : [input];
}

/** The API takes null for a field that is not there. */
function optional<Value>(
  schema: z.ZodType<Value>,
): z.ZodOptional<
  z.ZodPipe<z.ZodType<Value | null | undefined>, z.ZodTransform<Value | undefined>>
> {
  return z
    .pipe(
      schema.nullish(),
      z.transform((value) => value ?? undefined),
    )
    .optional();
}

const Count = z.int().min(1);

const Condition = z.object({
  key: z.string(),
  value: z.array(z.string()),
  selectMode: optional(z.array(z.string())),
});

const Tree: z.ZodType<FilterTree> = z.lazy(() =>
  z.union([
    z.object({ operator: z.enum(['and', 'or']), left: Tree, right: Tree }),
    Condition.extend({ scope: z.enum(['repository', 'document', 'chunk']).default('document') }),
  ]),
);

const Filter = z.looseObject({
  id: z.string(),
  searchConfiguration: optional(
    z.looseObject({ maxChunkCount: optional(Count), maxDocumentCount: optional(Count) }),
  ),
  dataRepositories: optional(z.array(z.string())),
  dataRepositoryType: optional(z.string()),
  dataRepositoryMetadata: optional(z.array(Condition)),
  documentMetadata: optional(z.array(Condition)),
  chunkMetadata: optional(z.array(Condition)),
  filter: optional(Tree),
});

const OperationSchema: z.ZodType<Operation> = z.lazy(() =>
  z.object({
    id: optional(z.string()),
    maxChunkCount: optional(Count),
    strategy: z.looseObject({ type: optional(z.string()) }),
    inputs: z.array(z.union([OperationSchema, z.object({ id: z.string() })])),
  }),
);

const SearchBodySchema = z.object({
  query: z.string().min(1, 'at least one character is needed.'),
  filters: z.array(Filter),
  postProcessing: z
    .array(OperationSchema)
    .nullish()
    .transform((operations) => operations ?? []),
});
