import errors from '../golden/aicore/errors.json' with { type: 'json' };
import orchestration from '../golden/aicore/orchestration.json' with { type: 'json' };
import platform from '../golden/aicore/platform.json' with { type: 'json' };
import requests from '../golden/aicore/requests.json' with { type: 'json' };
import retrieval from '../golden/aicore/retrieval.json' with { type: 'json' };

const shapes: Readonly<Record<string, unknown>> = {
  ...errors,
  ...orchestration,
  ...platform,
  ...requests,
  ...retrieval,
};

/** A body as AI Core, or the platform, publishes it; see test/golden/README.md. Each call answers a copy. */
export function readShape<Value>(name: string): Value {
  if (!Object.hasOwn(shapes, name)) throw new Error(`No published shape ${name}`);
  return structuredClone(shapes[name]) as Value;
}
