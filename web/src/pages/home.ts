import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/MessageStrip.js';
import '@ui5/webcomponents/dist/ProgressIndicator.js';
import '../parts/chart.ts';
import '../parts/evaluate-dialog.ts';
import '../parts/import-panel.ts';
import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

import { pickHeadline } from '../../../src/charts/headline.ts';
import { api, ask, type Schemas } from '../api/client.ts';
import { getSession, type Scope } from '../api/session.ts';
import type { EvaluateDialog } from '../parts/evaluate-dialog.ts';
import { drawMeans, tellMeans } from '../parts/headline.ts';
import { Page } from '../parts/page.ts';
import { isUnfinished, nameEvaluation, renderStatus } from '../parts/status.ts';
import { pageStyles } from '../parts/styles.ts';
import { watchEvaluation, type LiveState } from '../parts/watch.ts';
import { navigate, pathTo } from '../shell/router.ts';
import { formatCount, formatTime, t } from '../texts/texts.ts';

export const tag = 'ge-home-page';

interface Home {
  readonly scopes: readonly Scope[];
  readonly sets: readonly Schemas['QuestionSetSummary'][];
  readonly evaluations: readonly Schemas['Evaluation'][];
  readonly hasConfigurations: boolean;
  readonly alarms: readonly Alarm[];
  readonly baselines: readonly string[];
}

interface Alarm {
  readonly baseline: string;
  readonly configuration: string;
  readonly measure: string;
}

/** As many evaluations are shown with their headline. */
const shownEvaluations = 8;
/** As many baselines are asked for alarms. */
const watchedBaselines = 5;

class HomePage extends Page<Home> {
  static override styles = [
    pageStyles,
    css`
      .tiles {
        display: grid;
        gap: 1rem;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr));
      }
      .welcome {
        max-width: 44rem;
      }
      ol {
        margin: 0;
        padding-inline-start: 1.25rem;
        display: grid;
        gap: 0.5rem;
      }
      .line {
        display: flex;
        gap: 0.5rem;
        justify-content: space-between;
        align-items: flex-start;
      }
      /* Big enough for a finger: 24 px and more (WCAG 2.2, 2.5.8). */
      .action {
        display: inline-block;
        min-block-size: 1.75rem;
        line-height: 1.75rem;
        padding-inline: 0.5rem;
      }
    `,
  ];
  static override properties = { live: { state: true }, failure: { state: true } };
  declare protected live: ReadonlyMap<string, LiveState>;
  declare protected failure: string | undefined;
  #watches = new Map<string, () => void>();

  constructor() {
    super();
    this.live = new Map();
    this.failure = undefined;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#watches.values()) stop();
    this.#watches.clear();
  }

  protected override heading(): string {
    return t('home');
  }

  protected override async load(signal: AbortSignal): Promise<Home> {
    const [{ scopes }, sets, evaluations, configurations, { alarms, baselines }] =
      await Promise.all([
        getSession(),
        ask(api.GET('/v1/question-sets', { params: { query: { limit: 100 } }, signal })),
        loadEvaluations(signal),
        ask(api.GET('/v1/search-configurations', { params: { query: { limit: 1 } }, signal })),
        loadAlarms(signal),
      ]);
    for (const { id, status } of evaluations) if (isUnfinished(status)) this.#watch(id);
    const hasConfigurations = configurations.items.length > 0;
    return { scopes, sets: sets.items, evaluations, hasConfigurations, alarms, baselines };
  }

  #watch(id: string): void {
    if (this.#watches.has(id)) return;
    const stop = watchEvaluation(id, {
      progress: (state) => (this.live = new Map(this.live).set(id, state)),
      end: () => {
        this.#watches.delete(id);
        void this.reload();
      },
    });
    this.#watches.set(id, stop);
  }

  protected override content(home: Home): TemplateResult {
    const mayEvaluate = home.scopes.includes('Evaluate');
    const isNew = home.evaluations.length === 0;
    return html`<div class="head">
        <h1>${t('home')}</h1>
        ${
          mayEvaluate && home.hasConfigurations && home.sets.length > 0
            ? html`<ui5-button design="Emphasized" @click=${() => this.#evaluate()}
                >${t('evaluate')}</ui5-button
              >`
            : nothing
        }
      </div>
      ${
        this.failure === undefined
          ? nothing
          : html`<ui5-message-strip design="Negative" hide-close-button role="alert"
              >${this.failure}</ui5-message-strip
            >`
      }
      ${home.alarms.map(renderAlarm)} ${isNew ? this.#welcome(home, mayEvaluate) : nothing}
      ${isNew ? nothing : this.#latest(home.evaluations)} ${this.#sets(home, mayEvaluate)}
      ${renderBaselines(home.baselines)}
      ${home.scopes.includes('Label') ? this.#upload(home) : nothing}
      <ge-evaluate-dialog .sets=${home.sets}></ge-evaluate-dialog>`;
  }

  #welcome(home: Home, mayEvaluate: boolean): TemplateResult {
    return html`<section class="card welcome" aria-labelledby="welcome">
      <h2 id="welcome">${t('welcomeTitle')}</h2>
      <p>${t('welcomeDetail')}</p>
      <ol>
        <li>${t('welcomeStepQuestions')}</li>
        <li>${t('welcomeStepEvaluate')}</li>
        <li>${t('welcomeStepJudge')}</li>
      </ol>
      ${
        mayEvaluate
          ? html`<div class="actions">
              ${
                home.hasConfigurations && home.sets.length > 0
                  ? nothing
                  : html`<ui5-button design="Emphasized" @click=${this.#loadSample}
                      >${t('trySample')}</ui5-button
                    >`
              }
            </div>`
          : html`<p class="quiet">${t('viewerHint')}</p>`
      }
    </section>`;
  }

  #latest(evaluations: readonly Schemas['Evaluation'][]): TemplateResult {
    return html`<section aria-labelledby="latest" class="page">
      <h2 id="latest">${t('latestEvaluations')}</h2>
      <div class="tiles">
        ${repeat(
          evaluations,
          ({ id }) => id,
          (evaluation) => this.#tile(evaluation),
        )}
      </div>
    </section>`;
  }

  #tile(evaluation: Schemas['Evaluation']): TemplateResult {
    const { id, questionSet, createdAt, scorecard } = evaluation;
    const live = this.live.get(id) ?? evaluation;
    const measure = pickHeadline(evaluation.measures);
    return html`<article class="card">
      <div class="line">
        <h3><a href=${pathTo(['evaluations', id])}>${nameEvaluation(evaluation)}</a></h3>
        ${renderStatus(live.status)}
      </div>
      <p class="quiet">
        ${t('setVersion', { set: questionSet.name, version: questionSet.version })} ·
        ${formatTime(createdAt)}
      </p>
      ${
        isUnfinished(live.status)
          ? html`<ui5-progress-indicator
              accessible-name=${t('progress')}
              value=${toPercent(live.progress)}
            ></ui5-progress-indicator>`
          : nothing
      }
      ${
        scorecard && scorecard.length > 0
          ? html`<ge-chart
              .draw=${(width: number) =>
                drawMeans(scorecard, { measure, width, title: tellMeans(scorecard, measure) })}
            ></ge-chart>`
          : nothing
      }
      ${evaluation.error ? html`<p class="bad">${evaluation.error.detail}</p>` : nothing}
      ${
        evaluation.gate?.verdict
          ? html`<p>${t('gate')}: ${renderVerdict(evaluation.gate.verdict)}</p>`
          : nothing
      }
    </article>`;
  }

  #sets({ sets, hasConfigurations, scopes }: Home, mayEvaluate: boolean): TemplateResult {
    const mayLabel = scopes.includes('Label');
    return html`<section class="card" aria-labelledby="sets">
      <h2 id="sets">${t('questionSets')}</h2>
      ${
        sets.length === 0
          ? html`<p class="quiet">${t('noQuestionSets')}</p>`
          : html`<div class="scroll" tabindex="0" role="group" aria-labelledby="sets">
              <table>
                <thead>
                  <tr>
                    <th scope="col" class="sticky">${t('name')}</th>
                    <th scope="col" class="number">${t('version')}</th>
                    <th scope="col" class="number">${t('questions')}</th>
                    <th scope="col" class="number">${t('judgments')}</th>
                    <th scope="col"><span>${t('actions')}</span></th>
                  </tr>
                </thead>
                <tbody>
                  ${sets.map(
                    (set) =>
                      html`<tr>
                        <th scope="row" class="sticky">
                          <a href=${pathTo(['question-sets', set.name])}>${set.name}</a>
                        </th>
                        <td class="number">${formatCount(set.version)}</td>
                        <td class="number">${formatCount(set.questions)}</td>
                        <td class="number">${formatCount(set.judgments)}</td>
                        <td>
                          ${
                            mayEvaluate && hasConfigurations
                              ? html`<ui5-button
                                  design="Transparent"
                                  accessible-name=${t('evaluateSet', { set: set.name })}
                                  @click=${() => this.#evaluate(set.name)}
                                  >${t('evaluate')}</ui5-button
                                >`
                              : nothing
                          }
                          ${
                            mayLabel
                              ? html`<a
                                  class="action"
                                  href=${pathTo(['judge', set.name])}
                                  aria-label=${t('judgeSet', { set: set.name })}
                                  >${t('judge')}</a
                                >`
                              : nothing
                          }
                        </td>
                      </tr>`,
                  )}
                </tbody>
              </table>
            </div>`
      }
    </section>`;
  }

  #upload({ hasConfigurations }: Home): TemplateResult {
    return html`<section class="card" aria-labelledby="upload">
      <h2 id="upload">${t('uploadQuestions')}</h2>
      <p class="quiet">${t('uploadDetail')}</p>
      <ge-import
        @imported=${async (event: CustomEvent<string>) => {
          await this.reload();
          if (hasConfigurations) await this.#evaluate(event.detail);
          else navigate(pathTo(['question-sets', event.detail]));
        }}
      ></ge-import>
    </section>`;
  }

  async #evaluate(set?: string): Promise<void> {
    await this.updateComplete;
    await this.renderRoot.querySelector<EvaluateDialog>('ge-evaluate-dialog')?.open(set);
  }

  async #loadSample(): Promise<void> {
    this.failure = undefined;
    try {
      const { questionSet } = await ask(api.POST('/v1/sample'));
      await this.reload();
      await this.#evaluate(questionSet);
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }
}

function renderAlarm({ baseline, configuration, measure }: Alarm): TemplateResult {
  return html`<ui5-message-strip design="Negative" hide-close-button
    >${t('alarm', { baseline, configuration, measure })}
    <a href=${pathTo(['trends', baseline], { measure })}>${t('seeTrend')}</a></ui5-message-strip
  >`;
}

function renderBaselines(baselines: readonly string[]) {
  if (baselines.length === 0) return nothing;
  return html`<section class="card" aria-labelledby="baselines">
    <h2 id="baselines">${t('baselines')}</h2>
    <ul class="plain">
      ${baselines.map(
        (name) =>
          html`<li>
            <a class="action" href=${pathTo(['trends', name])}>${name}: ${t('seeTrend')}</a>
          </li>`,
      )}
    </ul>
  </section>`;
}

function renderVerdict(verdict: 'pass' | 'fail' | 'inconclusive'): TemplateResult {
  const shown = {
    pass: html`<strong class="good">${t('gatePass')}</strong>`,
    fail: html`<strong class="bad">${t('gateFail')}</strong>`,
    inconclusive: html`<strong class="critical">${t('gateInconclusive')}</strong>`,
  };
  return shown[verdict];
}

function toPercent({ done, total }: Schemas['EvaluationProgress']): number {
  return total === 0 ? 0 : Math.floor((100 * done) / total);
}

async function loadEvaluations(signal: AbortSignal): Promise<readonly Schemas['Evaluation'][]> {
  const { items } = await ask(
    api.GET('/v1/eval', { params: { query: { limit: shownEvaluations } }, signal }),
  );
  return Promise.all(
    items.map(({ id }) => ask(api.GET('/v1/eval/{id}', { params: { path: { id } }, signal }))),
  );
}

async function loadAlarms(signal: AbortSignal): Promise<Pick<Home, 'alarms' | 'baselines'>> {
  const { items } = await ask(
    api.GET('/v1/baselines', { params: { query: { limit: watchedBaselines } }, signal }),
  );
  const trends = await Promise.all(
    items.map(({ name }) =>
      ask(api.GET('/v1/trends', { params: { query: { baseline: name, limit: 1 } }, signal })),
    ),
  );
  const alarms = trends.flatMap(({ baseline, series }) =>
    series
      .filter(({ drift }) => drift.verdict === 'worse')
      .map(({ configuration, measure }) => ({ baseline: baseline.name, configuration, measure })),
  );
  return { alarms, baselines: items.map(({ name }) => name) };
}

customElements.define(tag, HomePage);
