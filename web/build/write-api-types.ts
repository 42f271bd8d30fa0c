import { mkdirSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const output = new URL('../../packages/client/src/openapi.ts', import.meta.url);

/** Writes the types of the pages and of the client from the OpenAPI document; they are not checked in. */
export async function writeApiTypes(target: URL = output): Promise<void> {
  // openapi-typescript prints with the compiler of TypeScript 5, which version 7 no longer has in JavaScript.
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
  });
  const { default: readOpenApi, astToString } = await import('openapi-typescript');
  const nodes = await readOpenApi(new URL('../../openapi/openapi.json', import.meta.url));
  hooks.deregister();
  // An image builds the pages without the client's source.
  mkdirSync(new URL('.', target), { recursive: true });
  writeFileSync(target, astToString(nodes));
}
