import type { Allowances } from '../../../model/allowances.ts';
import { AppError } from '../../../errors.ts';
import type { SharedConnection } from '../../ai-core/connection.ts';
import { explainRefusals, findWayRefusal, type Refusal } from '../../allowances.ts';
import { type AiCore, createAiCore, type RepositoryRequest } from './ai-core.ts';

export type ListRepositories = (
  request: RepositoryRequest,
  tenant: string,
  signal: AbortSignal,
) => ReturnType<AiCore['listRepositories']>;

/** Throws `not-allowed` where the tenant may not use the resource group, and as AiCore says. */
export function createRepositoryLister(
  connection: SharedConnection,
  findAllowances: (tenant: string) => Promise<Allowances>,
): ListRepositories {
  return async (request, tenant, signal) => {
    const allowances = await findAllowances(tenant);
    const refusal = findWayRefusal(request, allowances);
    if (refusal) throw toNotAllowedError(refusal, allowances);
    return createAiCore(connection.restrictTo(allowances)).listRepositories(request, signal);
  };
}

function toNotAllowedError(refusal: Refusal, allowances: Allowances): AppError {
  const errors = [{ pointer: ['/query', ...refusal.path].join('/'), detail: refusal.detail }];
  const message = explainRefusals([refusal], allowances);
  return new AppError('not-allowed', message, { details: { errors } });
}
