import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Writes the types of the service's answers from its OpenAPI description; they are not checked in. */
export async function writeApiTypes(): Promise<void> {
  // openapi-typescript prints with the compiler of TypeScript 5, which version 7 no longer has in JavaScript.
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
  });
  const { default: readOpenApi, astToString } = await import('openapi-typescript');
  const nodes = await readOpenApi(new URL('../../openapi/openapi.json', import.meta.url), {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
  });
  hooks.deregister();
  writeFileSync(new URL('../src/api/openapi.d.ts', import.meta.url), astToString(nodes));
}
