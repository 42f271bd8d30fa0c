import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/MessageStrip.js';
import '@ui5/webcomponents/dist/Tag.js';
import '@ui5/webcomponents/dist/ToggleButton.js';
import { css, html, nothing, type PropertyValues, svg, type TemplateResult } from 'lit';

import { pickHeadline } from '../../../src/charts/headline.ts';
import { api, ask, type Schemas } from '../api/client.ts';
import { getSession } from '../api/session.ts';
import { Sitting } from '../api/sitting.ts';
import { knownJudge } from '../parts/judge-name.ts';
import { markWords } from '../parts/mark-words.ts';
import { Page } from '../parts/page.ts';
import { loadRows, readSelection } from '../parts/question-list.ts';
import { pageStyles } from '../parts/styles.ts';
import { navigate, pathTo } from '../shell/router.ts';
import { formatMs, formatValue, t } from '../texts/texts.ts';

export const tag = 'ge-question-page';

type Rankings = Schemas['QuestionRankings'];
type Result = Rankings['results'][number];
type Hit = Result['ranking'][number];

interface Data {
  readonly evaluation: Schemas['Evaluation'];
  readonly rankings: Rankings;
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly judge: string | undefined;
  readonly mayJudge: boolean;
}

/** As many rankings fit side by side. */
const maxColumns = 4;
const shownHits = 10;
/** So many questions of the list are known, to go on to the next. */
const listed = 1000;

class QuestionPage extends Page<Data> {
  static override styles = [
    pageStyles,
    css`
      .rankings {
        position: relative;
        display: grid;
        gap: 1rem 3rem;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr));
      }
      .rankings > svg {
        position: absolute;
        inset: 0;
        width: 100%;
        height: 100%;
        pointer-events: none;
      }
      .link {
        stroke: var(--sapContent_ForegroundBorderColor);
        stroke-width: 1.5;
        fill: none;
      }
      .link.on {
        stroke: var(--sapHighlightColor);
        stroke-width: 3;
      }
      ol {
        list-style: none;
        margin: 0;
        padding: 0;
        display: grid;
        gap: 0.5rem;
      }
      li.hit {
        background: var(--sapGroup_ContentBackground);
        border: 1px solid var(--sapGroup_ContentBorderColor);
        border-inline-start: 4px solid var(--sapNeutralBorderColor);
        border-radius: 0.5rem;
        padding: 0.5rem 0.75rem;
        display: grid;
        gap: 0.25rem;
      }
      li.relevant {
        border-inline-start-color: var(--sapPositiveElementColor);
      }
      li.forbidden {
        border-color: var(--sapNegativeElementColor);
      }
      li.on {
        outline: 2px solid var(--sapHighlightColor);
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 0.5rem;
        align-items: center;
      }
      .snippet {
        font-size: 0.9rem;
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 3;
        overflow: hidden;
      }
      mark {
        background: none;
        color: inherit;
        font-weight: 700;
      }
      .column > header {
        display: grid;
        gap: 0.25rem;
        margin-bottom: 0.5rem;
      }
    `,
  ];
  static override properties = {
    highlighted: { state: true },
    links: { state: true },
    grades: { state: true },
    sitting: { state: true },
    failure: { state: true },
    notice: { state: true },
  };
  declare protected highlighted: string | undefined;
  declare protected links: readonly Link[];
  /** Given on this page, by document. */
  declare protected grades: ReadonlyMap<string, number>;
  declare protected sitting: Sitting | undefined;
  declare protected failure: string | undefined;
  declare protected notice: string | undefined;
  readonly #resized = new ResizeObserver(() => this.#measureLinks());
  readonly #onKey = (event: KeyboardEvent) => this.#press(event);

  constructor() {
    super();
    this.highlighted = undefined;
    this.links = [];
    this.grades = new Map();
    this.sitting = undefined;
    this.failure = undefined;
    this.notice = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('keydown', this.#onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#onKey);
    this.#resized.disconnect();
  }

  protected override heading({ rankings }: Data): string {
    return rankings.question.text;
  }

  get #id(): string {
    return this.route.params['id'] ?? '';
  }

  protected override async load(signal: AbortSignal): Promise<Data> {
    const path = { id: this.#id };
    const question = this.route.params['question'] ?? '';
    const [{ name, scopes }, evaluation, rankings] = await Promise.all([
      getSession(),
      ask(api.GET('/v1/eval/{id}', { params: { path }, signal })),
      ask(
        api.GET('/v1/eval/{id}/rankings', {
          params: { path, query: { question, depth: shownHits } },
          signal,
        }),
      ),
    ]);
    const selection = readSelection(this.route.query, pickHeadline(evaluation.measures));
    const list = await loadRows(this.#id, selection, { limit: listed, signal });
    const ids = list.items.map(({ id }) => id);
    const place = ids.indexOf(question);
    this.grades = new Map();
    return {
      evaluation,
      rankings,
      previous: place > 0 ? ids[place - 1] : undefined,
      next: place === -1 ? undefined : ids[place + 1],
      judge: name ?? knownJudge(),
      mayJudge: scopes.includes('Label'),
    };
  }

  override updated(changed: PropertyValues): void {
    super.updated(changed);
    const rankings = this.renderRoot.querySelector('.rankings');
    if (rankings) this.#resized.observe(rankings);
    if (changed.has('state')) this.#measureLinks();
  }

  protected override content(data: Data): TemplateResult {
    const { question, results } = data.rankings;
    const shown = pickShown(results, this.route.query);
    return html`<div class="head">
        <div>
          <p>
            <a href=${pathTo(['evaluations', this.#id, 'questions'], this.#query)}
              >${t('backToQuestions')}</a
            >
          </p>
          <h1>${question.text}</h1>
          <p class="quiet">${describe(question)}</p>
        </div>
        <div class="actions">
          <ui5-button
            ?disabled=${data.previous === undefined}
            @click=${() => this.#go(data.previous)}
            >${t('previous')}</ui5-button
          >
          <ui5-button ?disabled=${data.next === undefined} @click=${() => this.#go(data.next)}
            >${t('next')}</ui5-button
          >
        </div>
      </div>
      ${this.#notices()} ${renderLost(question, results)}
      ${
        results.length > maxColumns
          ? html`<div class="actions" role="group" aria-label=${t('configurations')}>
              ${results.map(
                ({ configuration }) =>
                  html`<ui5-toggle-button
                    ?pressed=${shown.some((each) => each.configuration === configuration)}
                    @click=${() => this.#toggle(configuration, shown)}
                    >${configuration}</ui5-toggle-button
                  >`,
              )}
            </div>`
          : nothing
      }
      <div class="rankings">
        ${shown.map((result) => this.#column(result, data))}
        <svg aria-hidden="true">
          ${this.links.map(
            ({ documentId, path }) =>
              svg`<path class="link ${documentId === this.highlighted ? 'on' : ''}" d=${path} />`,
          )}
        </svg>
      </div>`;
  }

  get #query(): Record<string, string> {
    return Object.fromEntries(this.route.query);
  }

  #notices(): TemplateResult {
    const count = this.grades.size;
    return html`${
      this.failure === undefined
        ? nothing
        : html`<ui5-message-strip design="Negative" hide-close-button role="alert"
            >${this.failure}</ui5-message-strip
          >`
    }
    ${
      this.notice === undefined
        ? nothing
        : html`<ui5-message-strip design="Positive" hide-close-button role="status"
            >${this.notice}</ui5-message-strip
          >`
    }
    ${
      count === 0
        ? nothing
        : html`<div class="actions">
            <ui5-button design="Emphasized" @click=${() => this.#finish()}
              >${t('saveVerdicts')}</ui5-button
            >
            <span class="quiet" role="status">${t('verdictsGiven', { count })}</span>
          </div>`
    }`;
  }

  #column(result: Result, data: Data): TemplateResult {
    const measure = pickHeadline(Object.keys(result.measures));
    return html`<section class="column" aria-label=${result.configuration}>
      <header>
        <h2>${result.configuration}</h2>
        ${
          measure === ''
            ? nothing
            : html`<p>${measure}: <strong>${formatValue(result.measures[measure])}</strong></p>`
        }
        ${result.error ? html`<p class="bad">${result.error.detail}</p>` : nothing}
        ${result.pipeline ? renderTrace(result.pipeline) : nothing}
      </header>
      ${
        result.ranking.length === 0
          ? html`<p class="quiet">${t('foundNothing')}</p>`
          : html`<ol>
              ${result.ranking.map((hit) => this.#hit(hit, data))}
            </ol>`
      }
    </section>`;
  }

  #hit(hit: Hit, { rankings: { question }, mayJudge }: Data): TemplateResult {
    const { documentId, title, snippet, rank } = hit;
    const grade = this.grades.get(documentId ?? '') ?? hit.latestGrade;
    const isForbidden = documentId !== null && (question.forbidden ?? []).includes(documentId);
    const classes = [
      'hit',
      ...(grade !== null && grade > 0 ? ['relevant'] : []),
      ...(isForbidden ? ['forbidden'] : []),
      ...(documentId !== null && documentId === this.highlighted ? ['on'] : []),
    ];
    return html`<li
      class=${classes.join(' ')}
      data-document=${documentId ?? ''}
      @pointerenter=${() => (this.highlighted = documentId ?? undefined)}
      @pointerleave=${() => (this.highlighted = undefined)}
    >
      <div class="line">
        <strong>${rank}.</strong>
        ${isForbidden ? html`<ui5-tag design="Negative">${t('forbidden')}</ui5-tag>` : nothing}
        ${renderGrade(grade)}
      </div>
      <div><strong>${title ?? documentId ?? t('noDocumentId')}</strong></div>
      ${title === null ? nothing : html`<div class="quiet">${documentId}</div>`}
      ${
        snippet === null
          ? nothing
          : html`<div class="snippet">${markWords(snippet, question.text)}</div>`
      }
      ${
        mayJudge && documentId !== null && hit.latestGrade === null && !isForbidden
          ? html`<div
              class="line"
              role="group"
              aria-label=${t('judgeDocument', { title: title ?? documentId })}
            >
              ${[0, 1, 2].map(
                (each) =>
                  html`<ui5-button
                    design=${grade === each ? 'Emphasized' : 'Default'}
                    accessible-name=${t('giveGrade', { grade: each })}
                    @click=${() => this.#judge(documentId, each)}
                    >${each}</ui5-button
                  >`,
              )}
            </div>`
          : nothing
      }
    </li>`;
  }

  #judge(documentId: string, grade: number): void {
    if (this.state.kind !== 'ready') return;
    const { judge, evaluation, rankings } = this.state.data;
    const set = evaluation.questionSet.name;
    if (judge === undefined) {
      navigate(pathTo(['judge', set], { evaluation: this.#id }));
      return;
    }
    if (!this.sitting) {
      this.sitting = Sitting.resume(set, judge);
      this.sitting.addEventListener('change', () => {
        this.failure = this.sitting?.state.refusal ?? undefined;
      });
    }
    this.notice = undefined;
    this.sitting.add({ questionId: rankings.question.id, documentId, grade });
    this.grades = new Map(this.grades).set(documentId, grade);
  }

  async #finish(): Promise<void> {
    this.failure = undefined;
    try {
      const saved = await this.sitting?.finish();
      await this.reload();
      if (saved) this.notice = t('sittingSaved', { version: saved.version });
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }

  #toggle(configuration: string, shown: readonly Result[]): void {
    const names = shown.map((result) => result.configuration);
    const next = names.includes(configuration)
      ? names.filter((name) => name !== configuration)
      : [...names, configuration].slice(-maxColumns);
    this.#navigate(this.route.params['question'] ?? '', { columns: next.join(',') });
  }

  #go(question: string | undefined): void {
    if (question !== undefined) this.#navigate(question, {});
  }

  #navigate(question: string, changes: Readonly<Record<string, string>>): void {
    const parts = ['evaluations', this.#id, 'questions', question];
    navigate(pathTo(parts, { ...this.#query, ...changes }), { replace: true });
  }

  #press(event: KeyboardEvent): void {
    if (this.state.kind !== 'ready' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'j' || event.key === 'ArrowRight') this.#go(this.state.data.next);
    if (event.key === 'k' || event.key === 'ArrowLeft') this.#go(this.state.data.previous);
  }

  /** Lines from a document in one column to the same document in the next one, where columns stand side by side. */
  #measureLinks(): void {
    const rankings = this.renderRoot.querySelector('.rankings');
    if (!rankings) return;
    const origin = rankings.getBoundingClientRect();
    const columns = [...rankings.querySelectorAll('.column')].map((column) =>
      [...column.querySelectorAll<HTMLElement>('li.hit')].map((hit) => ({
        documentId: hit.dataset['document'] ?? '',
        box: hit.getBoundingClientRect(),
      })),
    );
    const links = columns.flatMap((hits, index) =>
      hits.flatMap(({ documentId, box }) => {
        const same = columns[index + 1]?.find((other) => other.documentId === documentId);
        if (!same || documentId === '' || same.box.left < box.right) return [];
        const [x1, y1] = [box.right - origin.left, box.top + box.height / 2 - origin.top];
        const [x2, y2] = [
          same.box.left - origin.left,
          same.box.top + same.box.height / 2 - origin.top,
        ];
        const middle = (x1 + x2) / 2;
        return [{ documentId, path: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}` }];
      }),
    );
    if (JSON.stringify(links) !== JSON.stringify(this.links)) this.links = links;
  }
}

interface Link {
  readonly documentId: string;
  readonly path: string;
}

function pickShown(results: readonly Result[], query: URLSearchParams): readonly Result[] {
  const names = query.get('columns')?.split(',');
  const named = names && results.filter(({ configuration }) => names.includes(configuration));
  return (named && named.length > 0 ? named : results).slice(0, maxColumns);
}

function describe({
  id,
  kind,
  process,
  language,
  user,
  split,
  tags,
}: Rankings['question']): string {
  const parts = [id, kind, process, language, user, split, ...(tags ?? [])];
  return parts.filter((part) => part !== undefined).join(' · ');
}

function renderGrade(grade: number | null): TemplateResult {
  if (grade === null) return html`<ui5-tag design="Neutral">${t('unjudged')}</ui5-tag>`;
  if (grade <= 0) return html`<ui5-tag design="Critical">${t('notRelevant')}</ui5-tag>`;
  return html`<ui5-tag design="Positive">${t('relevantGrade', { grade })}</ui5-tag>`;
}

/** Relevant documents that a configuration does not show in its top. */
function renderLost(
  { relevant = {} }: Rankings['question'],
  results: readonly Result[],
): TemplateResult | typeof nothing {
  const wanted = Object.entries(relevant).flatMap(([id, grade]) => (grade > 0 ? [id] : []));
  const lines = wanted.flatMap((id) => {
    const without = results.filter(
      ({ ranking, status }) =>
        status !== 'failed' && !ranking.some(({ documentId }) => documentId === id),
    );
    return without.length === 0
      ? []
      : [{ id, names: without.map(({ configuration }) => configuration).join(', ') }];
  });
  if (lines.length === 0) return nothing;
  return html`<section class="card" aria-labelledby="lost">
    <h2 id="lost">${t('lostTitle', { depth: shownHits })}</h2>
    <ul class="plain">
      ${lines.map(({ id, names }) => html`<li><strong>${id}</strong>: ${names}</li>`)}
    </ul>
  </section>`;
}

/** How a pipeline came to the ranking: versions of the question, then each stage with its time. */
function renderTrace({
  versions,
  stages,
  fallbacks,
}: NonNullable<Result['pipeline']>): TemplateResult {
  return html`<details>
    <summary>${t('trace')}</summary>
    <ul>
      ${versions.map(
        ({ kind, text, ranking }) =>
          html`<li>
            ${kind}${text === undefined ? '' : `: ${text}`}
            <span class="quiet"
              >${
                ranking === null
                  ? t('failed')
                  : t('versionFound', { count: ranking.length, first: ranking[0] ?? '–' })
              }</span
            >
          </li>`,
      )}
      ${stages.map(
        ({ stage, type, latencyMs }) => html`<li>${stage} (${type}): ${formatMs(latencyMs)}</li>`,
      )}
      ${fallbacks.map(
        ({ stage, detail }) => html`<li class="bad">${t('stageSkipped', { stage, detail })}</li>`,
      )}
    </ul>
  </details>`;
}

customElements.define(tag, QuestionPage);
