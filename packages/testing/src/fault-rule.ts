import { createHash } from 'node:crypto';

import type { Fault } from './fault.ts';
import type { StubEndpoint, StubRequest } from './stub-request.ts';

/** Which requests meet a fault. All conditions that are given must hold. */
export interface FaultRule {
  readonly fault: Fault;
  /** `search` unless given. */
  readonly endpoint?: StubEndpoint | undefined;
  readonly resourceGroup?: string | undefined;
  /** The whole question, or a pattern that is found in it. */
  readonly question?: string | RegExp | undefined;
  /** Only these of the requests that meet the conditions above, counted from 1 in the order of their arrival. */
  readonly nth?: readonly number[] | undefined;
  /** Only the first so many of the requests that meet the conditions above. */
  readonly first?: number | undefined;
  /** Of the requests that are left, this share, from 0 to 1. */
  readonly probability?: number | undefined;
  /** Which ones: the same seed fails the same attempts at the same questions, in whatever order they come. */
  readonly seed?: number | undefined;
}

/** Looks at a request; undefined lets it pass. */
export type ChooseFault = (request: StubRequest) => Fault | undefined;

/** The first rule that applies decides. Every rule counts the requests that meet its conditions by itself. */
export function createFaultChooser(faults: readonly FaultRule[] | ChooseFault): ChooseFault {
  if (typeof faults === 'function') return faults;
  const counted = faults.map((rule) => ({ rule, seen: 0 }));
  return (request) => {
    let chosen: Fault | undefined;
    for (const entry of counted) {
      if (!meetsConditions(entry.rule, request)) continue;
      entry.seen += 1;
      if (!chosen && isPicked(entry.rule, entry.seen, request)) chosen = entry.rule.fault;
    }
    return chosen;
  };
}

function meetsConditions(rule: FaultRule, request: StubRequest): boolean {
  if (request.endpoint !== (rule.endpoint ?? 'search')) return false;
  if (!isGroup(rule, request)) return false;
  if (rule.question === undefined) return true;
  if (typeof rule.question === 'string') return request.question === rule.question;
  return request.question !== undefined && request.question.search(rule.question) !== -1;
}

function isGroup({ resourceGroup }: FaultRule, request: StubRequest): boolean {
  return resourceGroup === undefined || request.resourceGroup === resourceGroup;
}

function isPicked(rule: FaultRule, seen: number, request: StubRequest): boolean {
  if (rule.nth && !rule.nth.includes(seen)) return false;
  if (rule.first !== undefined && seen > rule.first) return false;
  return rule.probability === undefined || draw(rule.seed ?? 1, request) < rule.probability;
}

/** From 0 to below 1, by what is asked and not by when. */
function draw(seed: number, { endpoint, resourceGroup, question, attempt }: StubRequest): number {
  const drawn = JSON.stringify([seed, endpoint, resourceGroup, question, attempt]);
  return createHash('sha256').update(drawn).digest().readUInt32BE() / 2 ** 32;
}
