import { isOfAiCore, isPiped, type SearchConfiguration } from '../model/search-configuration.ts';
import type { SharedConnection } from './ai-core/connection.ts';
import type { ChatModel } from './chat-model.ts';
import type { CrossEncoders } from './cross-encoder/cross-encoders.ts';
import { listCrossEncoders, listModelAccess } from './pipeline/create-pipeline.ts';

/** The ways out of this process. */
export interface Ways {
  readonly connection: SharedConnection;
  readonly findWayObstacle: NonNullable<ChatModel['findObstacle']>;
  readonly crossEncoders: CrossEncoders;
}

/** Why this process cannot search that way; undefined: nothing is known against it. */
export function findObstacle(
  configuration: SearchConfiguration,
  { connection, findWayObstacle, crossEncoders }: Ways,
): string | undefined {
  if (!isPiped(configuration)) return undefined;
  const { pipeline = {} } = configuration;
  const obstacles = [
    isOfAiCore(configuration) ? connection.findObstacle(configuration) : undefined,
    ...listModelAccess(configuration, pipeline).map((way) => findWayObstacle(way)),
    ...listCrossEncoders(pipeline).map((name) => crossEncoders.findObstacle(name)),
  ];
  return obstacles.find((found) => found !== undefined);
}
