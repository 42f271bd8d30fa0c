import { readFileSync } from 'node:fs';

/** A JSON schema of the document (2020-12), as far as the fuzzing reads one. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly method: Method;
  /** With its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH';

export type Components = Readonly<Record<string, Schema>>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'path'>>>>>;
  readonly components: { readonly schemas: Components };
}

export interface Api {
  readonly operations: readonly Operation[];
  readonly components: Components;
}

/** What the checked-in description of the service says can be asked. */
export function readApi(): Api {
  const document = JSON.parse(readFileSync('openapi/openapi.json', 'utf8')) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      parameters: operation.parameters ?? [],
      method: method.toUpperCase() as Method,
      path,
    })),
  );
  return { operations, components: document.components.schemas };
}

/** Follows a reference to a component. */
export function resolve(schema: Schema, components: Components): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components[name] ?? {});
}
