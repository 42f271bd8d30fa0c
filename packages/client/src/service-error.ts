import type { components } from './openapi.ts';

type Problem = components['schemas']['Problem'];

/** The service, or the XSUAA that issues tokens, answered with an error. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  /** What the service said, with the places in the request where it says so. */
  readonly problem: Problem | undefined;

  constructor(status: number, message: string, problem?: Problem) {
    super(message);
    this.status = status;
    this.problem = problem;
  }
}
