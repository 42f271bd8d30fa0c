import { countEdits } from '../../ir/count-edits.ts';

interface SchemaNode {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
}

/** The keys that a JSON schema knows at a path, over all alternatives there. */
export function findKnownKeys(
  root: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[],
): readonly string[] {
  const definitions = (root['$defs'] ?? {}) as Readonly<Record<string, SchemaNode>>;
  const expand = (node: SchemaNode): readonly SchemaNode[] => {
    const { $ref, anyOf = [], oneOf = [], allOf = [] } = node;
    const referred = $ref === undefined ? undefined : definitions[$ref.replace('#/$defs/', '')];
    return [
      node,
      ...[...(referred ? [referred] : []), ...anyOf, ...oneOf, ...allOf].flatMap(expand),
    ];
  };
  let nodes = expand(root);
  for (const step of path) {
    nodes = nodes.flatMap(({ properties, items, additionalProperties }) => {
      const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
      const next = typeof step === 'number' ? items : (properties?.[step] ?? others);
      return next ? expand(next) : [];
    });
  }
  return [...new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

/** The known key that a misspelt one most likely means; undefined if none is close. */
export function suggestKey(key: string, known: readonly string[]): string | undefined {
  const asWritten = key.toLowerCase().replaceAll(/[-_ ]/g, '');
  const allowed = asWritten.length < 4 ? 1 : 2;
  const [nearest] = known
    .map((name) => ({ name, edits: countEdits(asWritten, name.toLowerCase()) }))
    .filter(({ edits }) => edits <= allowed)
    .toSorted((a, b) => a.edits - b.edits);
  return nearest?.name;
}
