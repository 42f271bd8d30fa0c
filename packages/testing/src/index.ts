export { type AiCoreStub, startAiCoreStub } from './start-ai-core-stub.ts';
export type { ChatMessage } from './chat-message.ts';
export type { AiCoreStubOptions } from './ai-core-stub-options.ts';
export type { ReplyToPrompt, StubPrompt, StubReply } from './answer-completion.ts';
export {
  type CompletionAnswer,
  completionAnswer,
  type CompletionAnswerOptions,
} from './completion-answer.ts';
export type { Deployment } from './deployments.ts';
export type { Fault } from './fault.ts';
export type { ChooseFault, FaultRule } from './fault-rule.ts';
export { faults } from './faults.ts';
export type { RateLimit } from './rate-limit.ts';
export type { RetrievalAnswer } from './retrieval-answer.ts';
export {
  hashQuestion,
  type ResourceGroupCount,
  type SearchCount,
  type StubCounters,
} from './stub-counters.ts';
export type { ChunkPlace, StubRepository } from './stub-repository.ts';
export type { RecordedRequest, StubEndpoint, StubRequest } from './stub-request.ts';
export { mockAiCore, type MockedAiCore, mockServiceKey } from './mock-ai-core.ts';
export type { MockAiCoreOptions, MockedAnswer } from './mock-ai-core-options.ts';
export type { MockedRequest, MockedSearchRequest } from './mocked-request.ts';
export {
  type AnswerChunk,
  type AnswerEntries,
  searchAnswer,
  type SearchAnswerOptions,
} from './search-answer.ts';
