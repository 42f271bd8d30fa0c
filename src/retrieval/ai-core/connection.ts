import { createHash } from 'node:crypto';

import type { Allowances } from '../../model/allowances.ts';
import type { AiCoreWay } from '../allowances.ts';
import { type AiCoreAccess, createSharedAccess, restrictAccess } from './access.ts';
import { type Clock, systemClock } from '../resilience/clock.ts';
import {
  createConcurrencyLimiter,
  type ConcurrencyLimiter,
} from '../resilience/concurrency-limiter.ts';
import type { ServiceKey } from './service-key.ts';

export interface AiCoreOptions {
  /** Undefined: only configurations with a destination can be searched. */
  readonly serviceKey?: ServiceKey | undefined;
  /** The most calls of one resource group under way at once. */
  readonly concurrency: number;
  /** How long one attempt may take. */
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly clock?: Clock;
}

/** SAP AI Core as this process uses it: one token and one gate for all that share them. It calls nothing. */
export interface SharedConnection {
  readonly clock: Clock;
  /** The connection as one tenant may use it. */
  readonly restrictTo: (allowances: Allowances) => AiCoreConnection;
  /** In the order in which they were called first. */
  readonly listGates: () => readonly GateState[];
  /** Why no call can be made that way; undefined: no obstacle is known. Sends no request. */
  readonly findObstacle: (way: Pick<AiCoreWay, 'destination'>) => string | undefined;
}

/** SAP AI Core as one tenant may use it. */
export interface AiCoreConnection {
  readonly access: AiCoreAccess;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly findGate: (way: AiCoreWay) => ConcurrencyLimiter;
  /** Why no call can be made that way; undefined: no obstacle is known. Sends no request. */
  readonly findObstacle: (way: Pick<AiCoreWay, 'destination'>) => string | undefined;
}

/** How busy a resource group is. */
export interface GateState {
  /** A hash of destination and resource group: names may tell of tenants. */
  readonly group: string;
  readonly limit: number;
  readonly underWay: number;
  readonly waiting: number;
  readonly isPaused: boolean;
}

/** A token endpoint may take this long; @sap/xssec allows no more. */
const maxTokenMs = 10_000;

export function createAiCoreConnection(options: AiCoreOptions): SharedConnection {
  const { serviceKey, timeoutMs, attempts, concurrency, clock = systemClock } = options;
  const gates = new Map<string, ConcurrencyLimiter>();
  const shared = createSharedAccess({
    serviceKey,
    clock,
    timeoutMs: Math.min(timeoutMs, maxTokenMs),
    socketTimeoutMs: timeoutMs + 1000,
  });
  function findGate(way: AiCoreWay): ConcurrencyLimiter {
    const key = keyOfWay(way);
    const gate = gates.get(key) ?? createConcurrencyLimiter(concurrency, clock);
    gates.set(key, gate);
    return gate;
  }
  function findObstacle({ destination }: Pick<AiCoreWay, 'destination'>): string | undefined {
    if (serviceKey || destination !== undefined) return undefined;
    return 'No connection to SAP AI Core is configured: bind an aicore service instance, set AICORE_SERVICE_KEY, or set a destination in the search configuration';
  }
  return {
    clock,
    findObstacle,
    restrictTo(allowances) {
      const access = restrictAccess(shared, allowances);
      return { access, clock, timeoutMs, attempts, findGate, findObstacle };
    },
    listGates: () =>
      [...gates].map(([key, gate]) => ({
        group: createHash('sha256').update(key).digest('hex').slice(0, 12),
        limit: gate.limit(),
        underWay: gate.underWay(),
        waiting: gate.waiting(),
        isPaused: gate.pausedUntil() > clock.now(),
      })),
  };
}

/** The same for ways that lead to the same place. */
export function keyOfWay({ destination, resourceGroup }: AiCoreWay): string {
  return JSON.stringify([destination, resourceGroup]);
}
