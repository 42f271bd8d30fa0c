import type { Lexicon } from '../../../src/retrieval/backends/local/lexicon.ts';
import type { LocalDocument } from '../../../src/retrieval/backends/local/local-document.ts';
import type { Chunking } from '../../../src/model/search-configuration.ts';
import type { ReplyToPrompt } from './answer-completion.ts';
import type { Deployment } from './deployments.ts';
import type { ChooseFault, FaultRule } from './fault-rule.ts';
import type { RateLimit } from './rate-limit.ts';
import type { ChunkPlace, StubRepository } from './stub-repository.ts';
import type { StubRequest } from './stub-request.ts';

export interface AiCoreStubOptions {
  /** The documents of a repository with the title `corpus`. */
  readonly corpus?: readonly LocalDocument[] | undefined;
  /** Further repositories. */
  readonly repositories?: readonly StubRepository[] | undefined;
  /** Makes the search one by concepts; without it, chunks are found by their words. */
  readonly lexicon?: Lexicon | undefined;
  /** One chunk a paragraph unless given. */
  readonly chunking?: Chunking | undefined;
  /** The metadata key, of documents and of chunks, that holds a document's id; `docId` unless given. */
  readonly documentIdKey?: string | undefined;
  /** Which chunks carry that key; all unless given. A document carries it when any of its chunks does. */
  readonly hasDocumentId?: ((chunk: ChunkPlace) => boolean) | undefined;
  /** The resource groups that exist; `default` unless given. Any other is answered with 404. */
  readonly resourceGroups?: readonly string[] | undefined;
  /** A running orchestration deployment unless given. */
  readonly deployments?: readonly Deployment[] | undefined;
  /** Plays the language model of completions; without it, every reply is `A reply of the stub.` */
  readonly reply?: ReplyToPrompt | undefined;
  /** How long a search or completion takes at least. */
  readonly latencyMs?: number | ((request: StubRequest) => number) | undefined;
  readonly faults?: readonly FaultRule[] | ChooseFault | undefined;
  /** A limit for all searches and completions together; one above it is answered with 429, before any fault is looked for. */
  readonly rateLimit?: RateLimit | undefined;
  /** 43,199 unless given, as SAP's are. */
  readonly tokenLifetimeSeconds?: number | undefined;
  /** A free one unless given. */
  readonly port?: number | undefined;
  /** The clock that tokens expire by, in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}
