import { STATUS_CODES } from 'node:http';

type Json = Readonly<Record<string, unknown>>;

/** What @fastify/swagger writes for a response without a description. */
const missingDescription = 'Default Response';

/**
 * Makes an OpenAPI document fit generators of clients and examples. The status describes a response that says
 * nothing of its own. Limits of safe integers, which examples take for values, are left out. The default of an
 * optional property of a component moves into its description: generators make properties with a default required.
 */
export function tidyDocument<Document extends object>(document: Document): Document {
  return tidy(document, '') as Document;
}

function tidy(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => tidy(item, ''));
  if (!isObject(value)) return value;
  const members = Object.entries(value)
    .filter(([name, member]) => !isSafeLimit(name, member))
    .map(([name, member]) => [name, tidy(member, name)] as const);
  const tidied = Object.fromEntries(members);
  if (tidied['description'] === missingDescription) {
    return { ...tidied, description: STATUS_CODES[key] ?? 'The answer' };
  }
  const { properties, required } = tidied;
  if (tidied['type'] !== 'object' || !isObject(properties)) return tidied;
  const names = Array.isArray(required) ? required : [];
  return { ...tidied, properties: describeDefaults(properties, names) };
}

function describeDefaults(properties: Json, required: readonly unknown[]): Json {
  const described = Object.entries(properties).map(([name, property]) => {
    if (!isObject(property) || required.includes(name)) return [name, property];
    const { default: usual, description, ...rest } = property;
    if (usual === undefined) return [name, property];
    if (saysDefault(description)) return [name, { ...rest, description }];
    const text = typeof usual === 'string' ? usual : JSON.stringify(usual);
    const sentence = `Default: \`${text}\`.`;
    const before = typeof description === 'string' ? `${description} ` : '';
    return [name, { ...rest, description: `${before}${sentence}` }];
  });
  return Object.fromEntries(described) as Json;
}

function saysDefault(description: unknown): boolean {
  return typeof description === 'string' && /\bdefault:/i.test(description);
}

function isSafeLimit(name: string, value: unknown): boolean {
  return (
    (name === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (name === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
