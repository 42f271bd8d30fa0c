import { api, ask, ConnectionError, ProblemError, type Schemas } from './client.ts';

export type Verdict = Schemas['VerdictsInput']['verdicts'][number];

/** What the browser keeps of a sitting, so that a reload or a lost connection loses nothing. */
interface Kept {
  readonly id: string;
  readonly judge: string | undefined;
  /** Verdicts in the order in which they were given, which the service has not confirmed yet. */
  readonly waiting: readonly Verdict[];
}

export interface SittingState {
  /** Verdicts that the service has confirmed. */
  readonly stored: number;
  readonly waiting: number;
  readonly isOffline: boolean;
  /** Why the service refused a verdict. */
  readonly refusal: string | undefined;
}

const prefix = 'grounding-eval.sitting';
const batchSize = 100;
const retryMs = [500, 1000, 2000, 5000];

/**
 * The verdicts of one judge in one tab. Each is kept in the browser first and sent at once; what cannot be sent waits and is
 * sent later. The service replaces a verdict that comes twice, so nothing counts twice.
 */
export class Sitting extends EventTarget {
  readonly #set: string;
  #kept: Kept;
  #stored = 0;
  #isOpen = false;
  #isOffline = false;
  #refusal: string | undefined;
  #sending: Promise<void> | undefined;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(set: string, kept: Kept) {
    super();
    this.#set = set;
    this.#kept = kept;
    addEventListener('online', () => void this.send());
  }

  /** Goes on with the sitting of this tab, or begins one. What other tabs left behind is sent in its own sitting. */
  static resume(set: string, judge: string | undefined): Sitting {
    const tabKey = `${prefix}.${set}.tab`;
    const id = sessionStorage.getItem(tabKey) ?? crypto.randomUUID();
    sessionStorage.setItem(tabKey, id);
    const sitting = new Sitting(set, readKept(set, id) ?? { id, judge, waiting: [] });
    void holdWhileOpen(id);
    void sendLeftovers(set, id);
    void sitting.send();
    return sitting;
  }

  static of(set: string, kept: Kept): Sitting {
    return new Sitting(set, kept);
  }

  get state(): SittingState {
    return {
      stored: this.#stored,
      waiting: this.#kept.waiting.length,
      isOffline: this.#isOffline,
      refusal: this.#refusal,
    };
  }

  add(verdict: Verdict): void {
    this.#refusal = undefined;
    this.#keep([...this.#kept.waiting, verdict]);
    void this.send();
  }

  /** Sends what waits; a call while one is under way joins it. */
  send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  /** Sends what waits and makes one version of it all. The tab's next verdict begins another sitting. */
  async finish(): Promise<Schemas['JudgmentsSaved']> {
    await this.send();
    if (this.#kept.waiting.length > 0) throw new ConnectionError('Verdicts are still waiting');
    const path = { name: this.#set, sitting: this.#kept.id };
    const saved = await ask(
      api.POST('/v1/question-sets/{name}/sittings/{sitting}/close', { params: { path } }),
    );
    this.#begin([]);
    return saved;
  }

  async #sendAll(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await this.#open();
      while (this.#kept.waiting.length > 0) {
        const batch = this.#kept.waiting.slice(0, batchSize);
        await this.#sendBatch(batch);
      }
      this.#attempt = 0;
      this.#isOffline = false;
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#isOffline = true;
      const wait = retryMs[Math.min(this.#attempt, retryMs.length - 1)];
      this.#attempt += 1;
      this.#timer = setTimeout(() => void this.send(), wait);
    } finally {
      this.#changed();
    }
  }

  async #open(): Promise<void> {
    if (this.#isOpen || this.#kept.waiting.length === 0) return;
    const path = { name: this.#set, sitting: this.#kept.id };
    const { judge } = this.#kept;
    const { verdicts, status } = await ask(
      api.PUT('/v1/question-sets/{name}/sittings/{sitting}', {
        params: { path },
        body: judge === undefined ? {} : { judge },
      }),
    );
    if (status === 'closed') {
      this.#begin(this.#kept.waiting);
      return this.#open();
    }
    this.#stored = verdicts.length;
    this.#isOpen = true;
  }

  async #sendBatch(batch: readonly Verdict[]): Promise<void> {
    try {
      const path = { name: this.#set, sitting: this.#kept.id };
      const { verdicts } = await ask(
        api.POST('/v1/question-sets/{name}/sittings/{sitting}/verdicts', {
          params: { path },
          body: { verdicts: latestOfEach(batch) },
        }),
      );
      this.#stored = verdicts;
      this.#keep(this.#kept.waiting.slice(batch.length));
    } catch (error) {
      if (!(error instanceof ProblemError) || isPassing(error)) throw error;
      if (error.status === 409) {
        // Closed after half an hour, or from elsewhere: what waits becomes a sitting of its own.
        this.#begin(this.#kept.waiting);
        await this.#open();
      } else if (batch.length > 1) {
        // One is refused; sent one by one, the others get through.
        for (const verdict of batch) await this.#sendBatch([verdict]);
      } else {
        this.#refusal = error.problem?.errors?.[0]?.detail ?? error.message;
        this.#keep(this.#kept.waiting.slice(1));
      }
    }
  }

  #begin(waiting: readonly Verdict[]): void {
    localStorage.removeItem(keyOf(this.#set, this.#kept.id));
    const id = crypto.randomUUID();
    sessionStorage.setItem(`${prefix}.${this.#set}.tab`, id);
    void holdWhileOpen(id);
    this.#kept = { id, judge: this.#kept.judge, waiting: [] };
    this.#isOpen = false;
    this.#stored = 0;
    this.#keep(waiting);
  }

  #keep(waiting: readonly Verdict[]): void {
    this.#kept = { ...this.#kept, waiting };
    const key = keyOf(this.#set, this.#kept.id);
    if (waiting.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(this.#kept));
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }
}

/** One request judges a pair once: the last word counts. */
function latestOfEach(verdicts: readonly Verdict[]): Verdict[] {
  const byPair = new Map(
    verdicts.map((verdict) => [JSON.stringify([verdict.questionId, verdict.documentId]), verdict]),
  );
  return [...byPair.values()];
}

function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return error instanceof ProblemError && (error.status === 429 || error.status >= 500);
}

function keyOf(set: string, id: string): string {
  return `${prefix}.${set}.${id}`;
}

function readKept(set: string, id: string): Kept | undefined {
  const stored = localStorage.getItem(keyOf(set, id));
  return stored === null ? undefined : (JSON.parse(stored) as Kept);
}

/** Other tabs see that this one lives; the lock goes with the tab. */
async function holdWhileOpen(id: string): Promise<void> {
  await navigator.locks.request(`${prefix}.${id}`, () => new Promise<never>(() => undefined));
}

/** Sends what tabs left that are closed. */
async function sendLeftovers(set: string, own: string): Promise<void> {
  const start = keyOf(set, '');
  const ids = Object.keys(localStorage).flatMap((key) =>
    key.startsWith(start) ? [key.slice(start.length)] : [],
  );
  for (const id of ids) {
    const kept = id === own ? undefined : readKept(set, id);
    if (!kept) continue;
    await navigator.locks.request(`${prefix}.${id}`, { ifAvailable: true }, async (lock) => {
      if (lock) await Sitting.of(set, kept).send();
    });
  }
}
