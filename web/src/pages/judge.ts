import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/Dialog.js';
import '@ui5/webcomponents/dist/Input.js';
import '@ui5/webcomponents/dist/Label.js';
import '@ui5/webcomponents/dist/MessageStrip.js';
import '@ui5/webcomponents/dist/ProgressIndicator.js';
import '@ui5/webcomponents/dist/TextArea.js';
import type Input from '@ui5/webcomponents/dist/Input.js';
import type TextArea from '@ui5/webcomponents/dist/TextArea.js';
import { css, html, nothing, type TemplateResult } from 'lit';

import { api, ask, ProblemError, type Schemas } from '../api/client.ts';
import { getSession } from '../api/session.ts';
import { Sitting } from '../api/sitting.ts';
import { knownJudge, rememberJudge } from '../parts/judge-name.ts';
import { markWords } from '../parts/mark-words.ts';
import { Page } from '../parts/page.ts';
import { pageStyles } from '../parts/styles.ts';
import { navigate, pathTo, type Route } from '../shell/router.ts';
import { t, type TextKey } from '../texts/texts.ts';

export const tag = 'ge-judge-page';

/** One thing to judge: never with the name of a system or a rank. */
interface Task {
  readonly questionId: string;
  readonly question: string;
  readonly documentId: string;
  readonly title: string | null;
  readonly snippet: string | null;
}

interface Data {
  readonly evaluation: string | undefined;
  readonly tasks: readonly Task[];
  readonly highestGrade: number;
  readonly needsName: boolean;
}

interface Given {
  readonly task: Task;
  readonly grade: number;
}

const depth = 10;
const gradeTexts: readonly TextKey[] = ['grade0', 'grade1', 'grade2', 'grade3'];
const keys: readonly (readonly [string, TextKey])[] = [
  ['0 1 2 3', 'keyGrades'],
  ['s', 'keySkip'],
  ['u', 'keyUnsure'],
  ['z', 'keyUndo'],
  ['n', 'keyNote'],
  ['?', 'keyHelp'],
];

class JudgePage extends Page<Data> {
  static override styles = [
    pageStyles,
    css`
      .page {
        max-width: 52rem;
        margin: 0 auto;
      }
      .question {
        font-size: 1.35rem;
        line-height: 1.35;
      }
      .text {
        font-size: 1.05rem;
        line-height: 1.6;
        display: grid;
        gap: 0.75rem;
      }
      mark {
        background: none;
        color: inherit;
        font-weight: 700;
        border-bottom: 2px solid var(--sapHighlightColor);
      }
      .grades {
        display: grid;
        gap: 0.75rem;
        grid-template-columns: repeat(auto-fit, minmax(6rem, 1fr));
      }
      .grades ui5-button {
        height: 3.5rem;
      }
      .key {
        font-weight: 700;
        font-family: ui-monospace, monospace;
      }
      ui5-textarea {
        width: 100%;
      }
    `,
  ];
  static override properties = {
    queue: { state: true },
    given: { state: true },
    note: { state: true },
    hasNote: { state: true },
    wholeText: { state: true },
    saved: { state: true },
    failure: { state: true },
    isHelpOpen: { state: true },
    name: { state: true },
    sitting: { state: true },
  };
  declare protected queue: readonly Task[];
  declare protected given: readonly Given[];
  declare protected note: string;
  declare protected hasNote: boolean;
  declare protected wholeText: string | undefined;
  declare protected saved: Schemas['JudgmentsSaved'] | undefined;
  declare protected failure: string | undefined;
  declare protected isHelpOpen: boolean;
  declare protected name: string;
  declare protected sitting: Sitting | undefined;

  constructor() {
    super();
    this.queue = [];
    this.given = [];
    this.#clear();
    this.saved = undefined;
    this.failure = undefined;
    this.isHelpOpen = false;
    this.name = knownJudge() ?? '';
    this.sitting = undefined;
  }

  readonly #onKey = (event: KeyboardEvent) => this.#press(event);

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('keydown', this.#onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#onKey);
  }

  protected override heading(): string {
    return t('judgeSet', { set: this.#set });
  }

  protected override needsData(before: Route): boolean {
    return before.params['set'] !== this.route.params['set'];
  }

  get #set(): string {
    return this.route.params['set'] ?? '';
  }

  protected override async load(signal: AbortSignal): Promise<Data> {
    const { name, scopes } = await getSession();
    if (!scopes.includes('Label')) throw new ProblemError(403, undefined);
    const evaluation = this.route.query.get('evaluation') ?? (await findLatest(this.#set, signal));
    const [pool, highestGrade] = await Promise.all([
      evaluation === undefined
        ? undefined
        : ask(api.POST('/v1/pool', { body: { evaluation, depth }, signal })),
      findHighestGrade(this.#set, signal),
    ]);
    const tasks = listTasks(pool?.questions ?? [], name ?? this.name);
    this.queue = tasks;
    this.given = [];
    const needsName = name === null && this.name === '';
    if (!needsName) this.#begin(name === null ? this.name : undefined);
    return { evaluation, tasks, highestGrade, needsName };
  }

  #begin(judge: string | undefined): void {
    this.sitting = Sitting.resume(this.#set, judge);
    this.sitting.addEventListener('change', () => this.requestUpdate());
  }

  protected override content(data: Data): TemplateResult {
    return html`<div class="head">
        <h1>${t('judgeSet', { set: this.#set })}</h1>
        <div class="actions">
          <ui5-button design="Transparent" @click=${() => (this.isHelpOpen = true)}
            >${t('keyboard')}</ui5-button
          >
          ${
            this.given.length > 0 && !this.saved
              ? html`<ui5-button @click=${() => this.#finish()}>${t('finishSitting')}</ui5-button>`
              : nothing
          }
        </div>
      </div>
      ${this.#notices()} ${this.#body(data)} ${this.#help()}`;
  }

  #body(data: Data): TemplateResult {
    if (!this.sitting) return this.#askName();
    if (this.saved) return this.#done(data, this.saved);
    const [task] = this.queue;
    if (task) return this.#task(task, data);
    if (this.given.length > 0) {
      return html`<section class="card">
        <h2>${t('allJudged')}</h2>
        <p>${t('allJudgedDetail')}</p>
        <div class="actions">
          <ui5-button design="Emphasized" @click=${() => this.#finish()}
            >${t('finishSitting')}</ui5-button
          >
          <ui5-button @click=${() => this.#undo()}>${t('undo')}</ui5-button>
        </div>
      </section>`;
    }
    return html`<section class="card">
      <h2>${t('nothingToJudge')}</h2>
      <p>${data.evaluation === undefined ? t('evaluateFirst') : t('nothingToJudgeDetail')}</p>
      <p><a href=${pathTo([])}>${t('toHome')}</a></p>
    </section>`;
  }

  #notices(): TemplateResult {
    const state = this.sitting?.state;
    return html`${
      state && state.isOffline
        ? html`<ui5-message-strip design="Critical" hide-close-button role="status"
            >${t('verdictsWaiting', { count: state.waiting })}</ui5-message-strip
          >`
        : nothing
    }
    ${
      state?.refusal
        ? html`<ui5-message-strip design="Negative" hide-close-button role="alert"
            >${t('verdictRefused', { reason: state.refusal })}</ui5-message-strip
          >`
        : nothing
    }
    ${
      this.failure
        ? html`<ui5-message-strip design="Negative" hide-close-button role="alert"
            >${this.failure}</ui5-message-strip
          >`
        : nothing
    }`;
  }

  #askName(): TemplateResult {
    const start = () => {
      if (this.name.trim() === '') return;
      rememberJudge(this.name.trim());
      this.#begin(this.name.trim());
    };
    return html`<section class="card">
      <h2>${t('whoJudges')}</h2>
      <ui5-label for="judge" show-colon required>${t('name')}</ui5-label>
      <ui5-input
        id="judge"
        value=${this.name}
        maxlength="256"
        @input=${(event: Event) => (this.name = (event.target as Input).value)}
        @change=${start}
      ></ui5-input>
      <div class="actions">
        <ui5-button design="Emphasized" @click=${start}>${t('startJudging')}</ui5-button>
      </div>
    </section>`;
  }

  #task(task: Task, { tasks, highestGrade }: Data): TemplateResult {
    const done = this.given.length;
    const grades = Array.from({ length: highestGrade + 1 }, (_, grade) => grade);
    return html`<div>
        <ui5-progress-indicator
          accessible-name=${t('progress')}
          value=${tasks.length === 0 ? 0 : Math.floor((100 * done) / tasks.length)}
        ></ui5-progress-indicator>
        <p class="quiet" role="status">${t('judgedOf', { done, total: tasks.length })}</p>
      </div>
      <section class="card" aria-labelledby="question">
        <p class="quiet">${t('doesItAnswer')}</p>
        <h2 id="question" class="question">${task.question}</h2>
      </section>
      <section class="card" aria-labelledby="document">
        <h3 id="document">${task.title ?? task.documentId}</h3>
        <div class="text">
          ${(this.wholeText ?? task.snippet ?? t('noText'))
            .split('\n\n')
            .map((paragraph) => html`<p>${markWords(paragraph, task.question)}</p>`)}
        </div>
        ${
          this.wholeText === undefined
            ? html`<div>
                <ui5-button design="Transparent" @click=${() => this.#showAll(task)}
                  >${t('wholeText')}</ui5-button
                >
              </div>`
            : nothing
        }
      </section>
      <div class="grades" role="group" aria-label=${t('grade')}>
        ${grades.map(
          (grade) =>
            html`<ui5-button @click=${() => this.#judge(grade)}
              >${grade} · ${t(gradeTexts[grade] ?? 'grade3')}</ui5-button
            >`,
        )}
      </div>
      <div class="actions">
        <ui5-button design="Transparent" @click=${() => this.#postpone()}>${t('skip')}</ui5-button>
        <ui5-button design="Transparent" @click=${() => this.#postpone()}
          >${t('unsure')}</ui5-button
        >
        <ui5-button design="Transparent" @click=${() => this.#openNote()}>${t('note')}</ui5-button>
        <ui5-button
          design="Transparent"
          ?disabled=${this.given.length === 0}
          @click=${() => this.#undo()}
          >${t('undo')}</ui5-button
        >
      </div>
      ${
        this.hasNote
          ? html`<ui5-textarea
              accessible-name=${t('note')}
              rows="2"
              maxlength="4000"
              placeholder=${t('noteHint')}
              value=${this.note}
              @input=${(event: Event) => (this.note = (event.target as TextArea).value)}
            ></ui5-textarea>`
          : nothing
      }`;
  }

  #done({ evaluation }: Data, saved: Schemas['JudgmentsSaved']): TemplateResult {
    return html`<section class="card">
      <h2>${t('sittingSaved', { version: saved.version })}</h2>
      <p role="status">${t('sittingCounts', { added: saved.added, changed: saved.changed })}</p>
      <div class="actions">
        ${
          evaluation === undefined
            ? nothing
            : html`<ui5-button design="Emphasized" @click=${() => this.#rescore(evaluation)}
                >${t('rescore')}</ui5-button
              >`
        }
        <ui5-button @click=${() => this.#again()}>${t('judgeMore')}</ui5-button>
        <a href=${pathTo([])}>${t('toHome')}</a>
      </div>
    </section>`;
  }

  #help(): TemplateResult {
    return html`<ui5-dialog
      header-text=${t('keyboard')}
      ?open=${this.isHelpOpen}
      @close=${() => (this.isHelpOpen = false)}
    >
      <dl class="facts">
        ${keys.map(
          ([key, text]) =>
            html`<dt class="key">${key}</dt>
              <dd>${t(text)}</dd>`,
        )}
      </dl>
      <ui5-button slot="footer" design="Emphasized" @click=${() => (this.isHelpOpen = false)}
        >${t('close')}</ui5-button
      >
    </ui5-dialog>`;
  }

  #press(event: KeyboardEvent): void {
    const isTyping = event
      .composedPath()
      .some(
        (target) => target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement,
      );
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if (isTyping || isCommand || this.isHelpOpen || this.state.kind !== 'ready') return;
    if (event.key === '?') this.isHelpOpen = true;
    if (!this.sitting || this.saved) return;
    if (event.key === 'z') this.#undo();
    if (this.queue.length === 0) return;
    const grade = /^\d$/.test(event.key) ? Number(event.key) : undefined;
    if (grade !== undefined && grade <= this.state.data.highestGrade) this.#judge(grade);
    if (event.key === 's' || event.key === 'u') this.#postpone();
    if (event.key === 'n') {
      event.preventDefault();
      void this.#openNote();
    }
  }

  #judge(grade: number): void {
    const [task, ...rest] = this.queue;
    if (!task || !this.sitting) return;
    const note = this.note.trim();
    const { questionId, documentId } = task;
    this.sitting.add({ questionId, documentId, grade, ...(note !== '' && { note }) });
    this.given = [...this.given, { task, grade }];
    this.queue = rest;
    this.#clear();
  }

  /** It comes again at the end. */
  #postpone(): void {
    const [task, ...rest] = this.queue;
    if (!task) return;
    this.queue = [...rest, task];
    this.#clear();
  }

  #undo(): void {
    const last = this.given.at(-1);
    if (!last || !this.sitting) return;
    const { questionId, documentId } = last.task;
    this.sitting.add({ questionId, documentId, grade: null });
    this.given = this.given.slice(0, -1);
    this.queue = [last.task, ...this.queue];
    this.#clear();
  }

  #clear(): void {
    this.note = '';
    this.hasNote = false;
    this.wholeText = undefined;
  }

  async #openNote(): Promise<void> {
    this.hasNote = true;
    await this.updateComplete;
    await this.renderRoot.querySelector<TextArea>('ui5-textarea')?.focus();
  }

  async #showAll({ documentId }: Task): Promise<void> {
    const id = this.state.kind === 'ready' ? this.state.data.evaluation : undefined;
    if (id === undefined) return;
    try {
      const { paragraphs, text } = await ask(
        api.GET('/v1/eval/{id}/document', { params: { path: { id }, query: { documentId } } }),
      );
      this.wholeText = paragraphs?.join('\n\n') ?? text ?? '';
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  async #finish(): Promise<void> {
    await this.#do(async () => {
      this.saved = await this.sitting?.finish();
    });
  }

  async #again(): Promise<void> {
    this.saved = undefined;
    await this.reload();
  }

  async #rescore(id: string): Promise<void> {
    await this.#do(async () => {
      const started = await ask(
        api.POST('/v1/eval/{id}/rescore', { params: { path: { id } }, body: {} }),
      );
      navigate(pathTo(['evaluations', started.id]));
    });
  }

  async #do(action: () => Promise<void>): Promise<void> {
    this.failure = undefined;
    try {
      await action();
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }
}

async function findLatest(set: string, signal: AbortSignal): Promise<string | undefined> {
  const { items } = await ask(api.GET('/v1/eval', { params: { query: { limit: 100 } }, signal }));
  return items.find(({ questionSet, status }) => questionSet.name === set && status === 'succeeded')
    ?.id;
}

/** The highest grade in use, so that judges get the scale of the set; at least 2. */
async function findHighestGrade(name: string, signal: AbortSignal): Promise<number> {
  const { items } = await ask(
    api.GET('/v1/question-sets/{name}/judgments', {
      params: { path: { name }, query: { limit: 1000 } },
      signal,
    }),
  );
  return Math.min(3, Math.max(2, ...items.map(({ grade }) => grade)));
}

/** Question by question, in an order that no system made: by a hash of the judge's name and the ids. */
function listTasks(questions: Schemas['Pool']['questions'], seed: string): readonly Task[] {
  const keyed = questions.map((question) => ({ question, key: hash(`${seed} ${question.id}`) }));
  return keyed
    .toSorted((a, b) => a.key - b.key)
    .flatMap(({ question: { id, text, documents } }) =>
      documents
        .map((document) => ({ document, key: hash(`${seed} ${id} ${document.documentId}`) }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ document: { documentId, title, snippet } }) => ({
          questionId: id,
          question: text,
          documentId,
          title,
          snippet,
        })),
    );
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) {
    value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return value >>> 0;
}

customElements.define(tag, JudgePage);
