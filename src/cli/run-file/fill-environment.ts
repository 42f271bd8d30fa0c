import { parse, Scalar } from 'yaml';

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * Puts environment variables, `${NAME}` or `${NAME:-default}`, into a value. What is not quoted is read again, so that
 * `${DROP:-0.02}` is a number. Returns the name of a variable that is not set and has no default.
 */
export function fillEnvironment(
  node: Scalar,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { value, type } = node;
  if (typeof value !== 'string' || !value.includes('${')) return undefined;
  let missing: string | undefined;
  const filled = value.replaceAll(variable, (_whole, name: string, fallback?: string) => {
    const found = environment[name];
    // As in a shell, the default also stands for an empty value.
    if (fallback !== undefined) return found === undefined || found === '' ? fallback : found;
    if (found === undefined) missing ??= name;
    return found ?? '';
  });
  if (missing !== undefined) return missing;
  node.value = type === Scalar.PLAIN ? readPlain(filled) : filled;
  return undefined;
}

/** A variable brings a value and never structure. */
function readPlain(text: string): unknown {
  const isNumberOrWord = /^(?:-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)$/.test(text);
  return isNumberOrWord ? (parse(text) as unknown) : text;
}
