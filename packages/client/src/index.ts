export {
  createGroundingEvalClient,
  type ClientOptions,
  type Evaluation,
  type GroundingEvalClient,
  type WaitOptions,
} from './client.ts';
export type { components, operations, paths } from './openapi.ts';
export { ServiceError } from './service-error.ts';
export type { ServiceKey } from './service-key-token.ts';
