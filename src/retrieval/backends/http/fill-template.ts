import { templateValues, type JsonValue, type TemplateValue } from '../../../model/http-search.ts';

/** What a template inserts; undefined: its place is left out. */
export type TemplateValues = Readonly<Record<TemplateValue, JsonValue | undefined>>;

/**
 * Replaces every `{ "$value": name }` by the value itself, so that no text can change the shape of a request. Where there
 * is no value, the member of the object or the item of the list is left out.
 */
export function fillTemplate(template: JsonValue, values: TemplateValues): JsonValue | undefined {
  if (typeof template !== 'object' || template === null) return template;
  if (isList(template)) return template.flatMap((item) => toList(fillTemplate(item, values)));
  const name = findValueName(template);
  if (name !== undefined) return isTemplateValue(name) ? values[name] : undefined;
  const filled = Object.entries(template).flatMap(([key, item]) => {
    const value = fillTemplate(item, values);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(filled);
}

/** Names in `$value` that are none, and objects in which `$value` is not alone; with the keys that lead to them. */
export function* findTemplateIssues(
  template: JsonValue,
  path: readonly (string | number)[],
): Generator<{ readonly path: readonly (string | number)[]; readonly detail: string }> {
  if (typeof template !== 'object' || template === null) return;
  if (isList(template)) {
    for (const [index, item] of template.entries()) {
      yield* findTemplateIssues(item, [...path, index]);
    }
    return;
  }
  if (Object.hasOwn(template, '$value')) {
    const name = findValueName(template);
    if (name !== undefined && isTemplateValue(name)) return;
    const known = templateValues.map((each) => `"${each}"`).join(', ');
    yield { path, detail: `must be { "$value": … } with one of ${known}` };
    return;
  }
  for (const [key, item] of Object.entries(template)) {
    yield* findTemplateIssues(item, [...path, key]);
  }
}

/** Whether a template inserts a value somewhere. */
export function inserts(template: JsonValue | undefined, name: TemplateValue): boolean {
  if (typeof template !== 'object' || template === null) return false;
  if (isList(template)) return template.some((item) => inserts(item, name));
  if (findValueName(template) === name) return true;
  return Object.values(template).some((item) => inserts(item, name));
}

function findValueName(template: { readonly [key: string]: JsonValue }): string | undefined {
  const { $value: name, ...others } = template;
  return typeof name === 'string' && Object.keys(others).length === 0 ? name : undefined;
}

function isTemplateValue(name: string): name is TemplateValue {
  return templateValues.some((known) => known === name);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Keeps a list that is a value in one piece. */
function toList(value: JsonValue | undefined): readonly JsonValue[] {
  return value === undefined ? [] : [value];
}
