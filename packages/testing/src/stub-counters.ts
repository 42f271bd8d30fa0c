import { createHash } from 'node:crypto';

import type { StubEndpoint } from './stub-request.ts';

export interface SearchCount {
  /** Searches and completions that arrived. */
  readonly received: number;
  /** Those that were searched, or completed, and got a 200. What a fault answers does not count. */
  readonly answered: number;
}

export interface ResourceGroupCount extends SearchCount {
  /** By `hashQuestion` of the question. */
  readonly questions: ReadonlyMap<string, SearchCount>;
}

/** What reached the stub so far. It goes on counting. */
export interface StubCounters {
  readonly requests: Readonly<Record<StubEndpoint | 'unknown', number>>;
  /** Connections that were opened. */
  readonly sockets: number;
  /** The most searches and completions that were under way at one time. */
  readonly mostSearchesAtOnce: number;
  /** Searches and completions by question over all resource groups; the key is `hashQuestion` of the question. */
  readonly questions: ReadonlyMap<string, SearchCount>;
  readonly resourceGroups: ReadonlyMap<string, ResourceGroupCount>;
}

/** The SHA-256 of a question's text. */
export function hashQuestion(question: string): string {
  return createHash('sha256').update(question).digest('hex');
}

export interface StubCounter {
  readonly counters: StubCounters;
  countSocket(): number;
  countRequest(endpoint: StubEndpoint | 'unknown'): void;
  /** Returns which time this question came for this resource group. */
  startSearch(resourceGroup: string | undefined, question: string): number;
  endSearch(search: EndedSearch): void;
}

export interface EndedSearch {
  readonly resourceGroup: string | undefined;
  readonly question: string;
  readonly answered: boolean;
}

export function createStubCounter(): StubCounter {
  const counters = {
    requests: {
      token: 0,
      deployments: 0,
      search: 0,
      dataRepositories: 0,
      completion: 0,
      unknown: 0,
    },
    sockets: 0,
    mostSearchesAtOnce: 0,
    questions: new Map<string, MutableCount>(),
    resourceGroups: new Map<string, MutableGroupCount>(),
  };
  let searching = 0;
  const findCounts = (resourceGroup: string, question: string) => {
    const hash = hashQuestion(question);
    const group = getOrAdd(counters.resourceGroups, resourceGroup, () => ({
      ...startCount(),
      questions: new Map<string, MutableCount>(),
    }));
    const ofGroup = getOrAdd(group.questions, hash, startCount);
    return { all: [getOrAdd(counters.questions, hash, startCount), group, ofGroup], ofGroup };
  };
  return {
    counters,
    countSocket: () => (counters.sockets += 1),
    countRequest(endpoint) {
      counters.requests[endpoint] += 1;
    },
    startSearch(resourceGroup = '', question) {
      searching += 1;
      counters.mostSearchesAtOnce = Math.max(counters.mostSearchesAtOnce, searching);
      const { all, ofGroup } = findCounts(resourceGroup, question);
      for (const count of all) count.received += 1;
      return ofGroup.received;
    },
    endSearch({ resourceGroup = '', question, answered }) {
      searching -= 1;
      if (!answered) return;
      for (const count of findCounts(resourceGroup, question).all) count.answered += 1;
    },
  };
}

interface MutableCount {
  received: number;
  answered: number;
}

interface MutableGroupCount extends MutableCount {
  readonly questions: Map<string, MutableCount>;
}

function startCount(): MutableCount {
  return { received: 0, answered: 0 };
}

function getOrAdd<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}
