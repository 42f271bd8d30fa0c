import type { FastifyInstance } from 'fastify';

import type { AllowedAccess, Allowances } from '../../src/model/allowances.ts';
import { createSender, type Sender } from './tenants.ts';
import { providerZone } from './tokens.ts';

const everything = { resourceGroups: ['*'], models: ['*'], deployments: ['*'] };

/** All that the service key and these destinations reach, as the environment allows it. */
export function allowAll(...destinations: readonly string[]): Allowances {
  const named = destinations.map((destination) => ({ destination, ...everything }));
  return { access: [everything, ...named], keeper: 'environment' };
}

/** Somebody of the provider who may change the lists of tenants, and nothing else. */
export function createOperator(app: FastifyInstance): Promise<Sender> {
  return createSender(app, { zone: providerZone, user: 'olga', scopes: ['Operate'] });
}

/** Has an operator list what a tenant may use; undefined: nothing any more. */
export async function allow(
  app: FastifyInstance,
  tenant: string,
  access: readonly AllowedAccess[] | undefined,
): Promise<void> {
  const operator = await createOperator(app);
  const url = `/v1/tenants/${tenant}/allowances`;
  const { statusCode, body } = await operator(
    access ? { method: 'PUT', url, payload: { access } } : { method: 'DELETE', url },
  );
  if (statusCode >= 300) throw new Error(`${statusCode}: ${body}`);
}
