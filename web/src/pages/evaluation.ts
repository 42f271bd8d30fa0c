import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/CheckBox.js';
import '@ui5/webcomponents/dist/MessageStrip.js';
import '@ui5/webcomponents/dist/ProgressIndicator.js';
import '../parts/baseline-dialog.ts';
import '../parts/chart.ts';
import '../parts/scorecard-table.ts';
import type CheckBox from '@ui5/webcomponents/dist/CheckBox.js';
import { css, html, nothing, type TemplateResult } from 'lit';

import { findLeader, pickHeadline } from '../../../src/charts/headline.ts';
import { api, ask, type Schemas } from '../api/client.ts';
import { getSession, type Scope } from '../api/session.ts';
import type { BaselineDialog } from '../parts/baseline-dialog.ts';
import { drawMeans, tellMeans } from '../parts/headline.ts';
import { Page } from '../parts/page.ts';
import { pick } from '../parts/pick.ts';
import { pickSlice, type TableState } from '../parts/scorecard-table.ts';
import { isUnfinished, nameEvaluation, renderStatus } from '../parts/status.ts';
import { pageStyles } from '../parts/styles.ts';
import { groupWarnings, renderWarning, type WarningGroup } from '../parts/warnings.ts';
import { watchEvaluation, type LiveState } from '../parts/watch.ts';
import { navigate, pathTo, type Route } from '../shell/router.ts';
import { formatCount, formatTime, t, type TextKey } from '../texts/texts.ts';

export const tag = 'ge-evaluation-page';

interface Data {
  readonly evaluation: Schemas['Evaluation'];
  readonly scopes: readonly Scope[];
}

const reports = [
  ['html', 'reportHtml'],
  ['csv', 'reportCsv'],
  ['markdown', 'reportMarkdown'],
  ['junit', 'reportJunit'],
] as const satisfies readonly (readonly [string, TextKey])[];

/** Measures that a reader who is new sees first; the rest is a tick away. */
const shownAtFirst = 5;

class EvaluationPage extends Page<Data> {
  static override styles = [
    pageStyles,
    css`
      .controls {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1.5rem;
        align-items: end;
      }
      .controls > div {
        display: grid;
        gap: 0.25rem;
      }
      .measures {
        display: flex;
        flex-wrap: wrap;
        gap: 0 1rem;
      }
    `,
  ];
  static override properties = {
    live: { state: true },
    notice: { state: true },
    failure: { state: true },
  };
  declare protected live: LiveState | undefined;
  declare protected notice: string | undefined;
  declare protected failure: string | undefined;
  #stop: (() => void) | undefined;

  protected override heading({ evaluation }: Data): string {
    return nameEvaluation(evaluation);
  }

  protected override needsData(before: Route): boolean {
    return before.params['id'] !== this.route.params['id'];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
  }

  protected override async load(signal: AbortSignal): Promise<Data> {
    const id = this.route.params['id'] ?? '';
    this.#stop?.();
    this.live = undefined;
    const [{ scopes }, evaluation] = await Promise.all([
      getSession(),
      ask(api.GET('/v1/eval/{id}', { params: { path: { id } }, signal })),
    ]);
    if (isUnfinished(evaluation.status)) {
      this.#stop = watchEvaluation(id, {
        progress: (state) => (this.live = state),
        end: () => void this.reload(),
      });
    }
    return { evaluation, scopes };
  }

  protected override content({ evaluation, scopes }: Data): TemplateResult {
    const { questionSet, createdAt, createdBy, scorecard } = evaluation;
    const mayEvaluate = scopes.includes('Evaluate');
    const rows = scorecard ?? [];
    const warnings = groupWarnings(rows);
    const errors = warnings.filter(({ severity }) => severity === 'error');
    const others = warnings.filter(({ severity }) => severity !== 'error');
    return html`<div class="head">
        <div>
          <h1>${nameEvaluation(evaluation)}</h1>
          <p class="quiet">
            ${t('setVersion', { set: questionSet.name, version: questionSet.version })} ·
            ${formatTime(createdAt)}${createdBy === null ? '' : ` · ${createdBy}`}
          </p>
        </div>
        <div class="actions">
          ${renderStatus((this.live ?? evaluation).status)}
          ${mayEvaluate ? this.#actions(evaluation) : nothing}
        </div>
      </div>
      ${
        this.notice === undefined
          ? nothing
          : html`<ui5-message-strip
              design="Positive"
              @close=${() => (this.notice = undefined)}
              role="status"
              >${this.notice}</ui5-message-strip
            >`
      }
      ${
        this.failure === undefined
          ? nothing
          : html`<ui5-message-strip
              design="Negative"
              @close=${() => (this.failure = undefined)}
              role="alert"
              >${this.failure}</ui5-message-strip
            >`
      }
      ${isUnfinished(evaluation.status) ? this.#progress(evaluation) : nothing}
      ${
        evaluation.error
          ? html`<ui5-message-strip design="Negative" hide-close-button
              >${evaluation.error.detail}</ui5-message-strip
            >`
          : nothing
      }
      ${evaluation.gate ? renderGate(evaluation.gate) : nothing}
      ${renderWarnings(errors, t('errors'))}
      ${rows.length > 0 ? this.#scorecard(evaluation, rows, scopes.includes('Label')) : nothing}
      ${renderWarnings(others, t('warnings'))} ${renderDetails(evaluation)}
      <ge-baseline-dialog
        .evaluation=${evaluation.id}
        .configurations=${evaluation.configurations.map(({ name }) => name)}
        @saved=${(event: CustomEvent<string>) =>
          (this.notice = t('baselineSaved', { name: event.detail }))}
      ></ge-baseline-dialog>`;
  }

  #actions(evaluation: Schemas['Evaluation']): TemplateResult {
    if (isUnfinished(evaluation.status)) {
      return html`<ui5-button @click=${() => this.#cancel(evaluation.id)}
        >${t('cancelEvaluation')}</ui5-button
      >`;
    }
    const failed = (evaluation.scorecard ?? []).reduce((sum, row) => sum + row.questions.failed, 0);
    return html`${
        failed > 0
          ? html`<ui5-button @click=${() => this.#retry(evaluation.id)}
              >${t('retryFailed')}</ui5-button
            >`
          : nothing
      }
      <ui5-button @click=${() => this.#rescore(evaluation.id)}>${t('rescore')}</ui5-button>
      ${
        evaluation.status === 'succeeded'
          ? html`<ui5-button @click=${this.#openBaseline}>${t('putBaseline')}</ui5-button>`
          : nothing
      }`;
  }

  #progress(evaluation: Schemas['Evaluation']): TemplateResult {
    const { done, total, failed, remainingSeconds } = (this.live ?? evaluation).progress;
    const value = total === 0 ? 0 : Math.floor((100 * done) / total);
    return html`<section class="card" aria-label=${t('progress')}>
      <ui5-progress-indicator
        accessible-name=${t('progress')}
        value=${value}
      ></ui5-progress-indicator>
      <p role="status">
        ${t('searchesDone', { done, total })}${failed > 0 ? `, ${t('searchesFailed', { failed })}` : ''}${
          remainingSeconds === null ? '' : ` · ${t('secondsLeft', { seconds: remainingSeconds })}`
        }
      </p>
    </section>`;
  }

  #scorecard(
    evaluation: Schemas['Evaluation'],
    rows: readonly Schemas['ScorecardRow'][],
    mayLabel: boolean,
  ): TemplateResult {
    const measures = Object.keys(rows[0]?.measures ?? {});
    const measure = this.#param('measure') ?? pickHeadline(measures);
    const state = this.#tableState(measures);
    const sliced = rows.map((row) => ({
      configuration: row.configuration,
      ...pickSlice(row, state.slice),
    }));
    const slices = Object.entries(rows[0]?.slices ?? {});
    return html`<section class="card" aria-labelledby="scorecard">
      <div class="head">
        <h2 id="scorecard">${t('scorecard')}</h2>
        <div class="actions">
          <a href=${pathTo(['evaluations', evaluation.id, 'questions'], { measure })}
            >${t('seeQuestions')}</a
          >
          ${
            isUnfinished(evaluation.status)
              ? nothing
              : html`<a href=${pathTo(['funnel', evaluation.id], { measure })}
                  >${t('seeFunnel')}</a
                >`
          }
          ${
            rows.length > 1
              ? html`<a href=${pathTo(['comparisons'], toComparison(evaluation.id, rows, measure))}
                  >${t('compare')}</a
                >`
              : nothing
          }
          ${
            mayLabel
              ? html`<a
                  href=${pathTo(['judge', evaluation.questionSet.name], { evaluation: evaluation.id })}
                  >${t('judgeFound')}</a
                >`
              : nothing
          }
        </div>
      </div>
      <div class="controls">
        ${pick({
          id: 'measure',
          text: t('measure'),
          value: measure,
          options: measures.map((name) => [name, name]),
          change: (value) => this.#set({ measure: value }),
        })}
        ${pick({
          id: 'slice',
          text: t('slice'),
          value: state.slice ? `${state.slice.dimension}=${state.slice.value}` : '',
          options: [
            ['', t('allQuestions')],
            ...slices.flatMap(([dimension, values]) =>
              Object.entries(values).map(([value, { questions }]): [string, string] => [
                `${dimension}=${value}`,
                t('sliceOption', { dimension, value, count: questions }),
              ]),
            ),
          ],
          change: (value) => this.#set({ slice: value === '' ? undefined : value }),
        })}
      </div>
      <ge-chart
        .draw=${(width: number) =>
          drawMeans(sliced, { measure, width, title: tellMeans(sliced, measure) })}
      ></ge-chart>
      <p class="quiet">${t('intervalNote')}</p>
      <ge-scorecard-table
        .rows=${rows}
        .measures=${measures}
        .state=${state}
        @sort-by=${(event: CustomEvent<string>) => this.#set({ sort: event.detail })}
      ></ge-scorecard-table>
      <details>
        <summary>${t('chooseMeasures')}</summary>
        <div class="measures">
          ${measures.map(
            (name) =>
              html`<ui5-checkbox
                text=${name}
                ?checked=${!state.hidden.has(name)}
                @change=${(event: Event) =>
                  this.#hide(measures, name, !(event.target as CheckBox).checked)}
              ></ui5-checkbox>`,
          )}
        </div>
      </details>
      <div class="actions">
        ${reports.map(
          ([format, key]) =>
            html`<a href="/v1/eval/${evaluation.id}/report?format=${format}" download
              >${t(key)}</a
            >`,
        )}
      </div>
    </section>`;
  }

  #tableState(measures: readonly string[]): TableState {
    const shown = this.#param('show')?.split(',');
    const visible = new Set(shown ?? pickShown(measures));
    const [dimension, ...value] = this.#param('slice')?.split('=') ?? [];
    return {
      sort: this.#param('sort') ?? '',
      hidden: new Set(measures.filter((name) => !visible.has(name))),
      slice: dimension === undefined ? undefined : { dimension, value: value.join('=') },
    };
  }

  #hide(measures: readonly string[], name: string, isHidden: boolean): void {
    const { hidden } = this.#tableState(measures);
    const shown = measures.filter((each) => (each === name ? !isHidden : !hidden.has(each)));
    this.#set({ show: shown.join(',') });
  }

  #param(name: string): string | undefined {
    return this.route.query.get(name) ?? undefined;
  }

  #set(changes: Readonly<Record<string, string | undefined>>): void {
    const query = { ...Object.fromEntries(this.route.query), ...changes };
    navigate(pathTo(['evaluations', this.route.params['id'] ?? ''], query), { replace: true });
  }

  #openBaseline(): void {
    this.renderRoot.querySelector<BaselineDialog>('ge-baseline-dialog')?.open();
  }

  async #cancel(id: string): Promise<void> {
    await this.#do(async () => {
      await ask(api.POST('/v1/eval/{id}/cancel', { params: { path: { id } } }));
      await this.reload();
    });
  }

  async #retry(id: string): Promise<void> {
    await this.#do(async () => {
      await ask(api.POST('/v1/eval/{id}/retry-failed', { params: { path: { id } } }));
      await this.reload();
    });
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

/** The headline first, then the others at the same or the first cut-offs, and how much is judged. */
function pickShown(measures: readonly string[]): readonly string[] {
  const headline = pickHeadline(measures);
  const cutoff = /@\d+$/.exec(headline)?.[0] ?? '';
  const same = measures.filter((name) => cutoff !== '' && name.endsWith(cutoff));
  const chosen = [headline, ...same, ...measures].slice(0, same.length + 1 + shownAtFirst);
  return [...new Set(same.length > 1 ? [headline, ...same, 'RR'] : chosen)];
}

/** The first configuration against the best of the others. */
function toComparison(
  evaluation: string,
  [first, ...others]: readonly Schemas['ScorecardRow'][],
  measure: string,
): Readonly<Record<string, string | undefined>> {
  const candidate = (findLeader(others, measure) ?? others[0])?.configuration;
  return { evaluation, baseline: first?.configuration, candidate, measure };
}

function renderWarnings(
  groups: readonly WarningGroup[],
  title: string,
): TemplateResult | typeof nothing {
  if (groups.length === 0) return nothing;
  return html`<section class="page" aria-label=${title}>
    <h2>${title}</h2>
    <ul class="plain">
      ${groups.map(renderWarning)}
    </ul>
  </section>`;
}

function renderGate(gate: Schemas['Gate']): TemplateResult {
  const designs = { pass: 'Positive', fail: 'Negative', inconclusive: 'Critical' } as const;
  const texts = { pass: 'gatePass', fail: 'gateFail', inconclusive: 'gateInconclusive' } as const;
  const { verdict } = gate;
  return html`<section aria-label=${t('gate')}>
    <ui5-message-strip design=${verdict ? designs[verdict] : 'Information'} hide-close-button>
      <strong>${t('gate')}: ${verdict ? t(texts[verdict]) : t('gateOpen')}</strong>
      ${gate.detail ?? ''}
    </ui5-message-strip>
  </section>`;
}

function renderDetails(evaluation: Schemas['Evaluation']): TemplateResult {
  const { questionSet, configurations, split, sample, average, progress } = evaluation;
  const { startedAt, finishedAt } = evaluation;
  return html`<section class="card" aria-labelledby="details">
    <h2 id="details">${t('asItWas')}</h2>
    <dl class="facts">
      <dt>${t('questionSet')}</dt>
      <dd>
        ${t('setVersion', { set: questionSet.name, version: questionSet.version })}
        <span class="quiet">(${questionSet.contentHash.slice(0, 12)})</span>
      </dd>
      <dt>${t('searches')}</dt>
      <dd>${formatCount(progress.done)}</dd>
      <dt>${t('meansOver')}</dt>
      <dd>${average}</dd>
      ${
        split === null
          ? nothing
          : html`<dt>${t('split')}</dt>
              <dd>${split}</dd>`
      }
      ${
        sample === null
          ? nothing
          : html`<dt>${t('sample')}</dt>
              <dd>${t('sampleOf', { size: sample.size, seed: sample.seed })}</dd>`
      }
      <dt>${t('startedAt')}</dt>
      <dd>${formatTime(startedAt)}</dd>
      <dt>${t('finishedAt')}</dt>
      <dd>${formatTime(finishedAt)}</dd>
    </dl>
    ${configurations.map(
      ({ name, backend, configuration, input }) =>
        html`<details>
          <summary>${name} (${backend})</summary>
          ${
            input === null
              ? nothing
              : html`<p>
                  ${input.kind === 'corpus' ? t('corpus') : t('run')}: ${input.name}
                  <span class="quiet">(${input.contentHash.slice(0, 12)})</span>
                </p>`
          }
          <pre tabindex="0">${JSON.stringify(configuration, null, 2)}</pre>
        </details>`,
    )}
  </section>`;
}

customElements.define(tag, EvaluationPage);
