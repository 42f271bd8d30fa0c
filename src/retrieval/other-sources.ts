import type { ChatModel } from './chat-model.ts';
import type { HttpSearchOptions } from './http-endpoints.ts';
import type { SqlSearchOptions } from './sql-sources.ts';

/** The models that stages of pipelines ask. */
export interface ModelSources {
  /** In place of those of the orchestration service. */
  readonly chatModel?: ChatModel | undefined;
  /** The folder that holds the folders of cross-encoders; absent: there are none. */
  readonly crossEncoderRoot?: string | undefined;
}

/** What searches besides AI Core. */
export interface OtherSources extends ModelSources {
  /** Absent: there are no endpoints. */
  readonly http?: HttpSearchOptions | undefined;
  /** Absent: there are no databases. */
  readonly sql?: SqlSearchOptions | undefined;
}
