import '../parts/chart.ts';
import { css, html, nothing, type TemplateResult } from 'lit';

import { pickHeadline } from '../../../src/charts/headline.ts';
import { drawHeatmap } from '../../../src/charts/heatmap-chart.ts';
import { api, ask, type Schemas } from '../api/client.ts';
import {
  axisOf,
  costAxes,
  drawCurve,
  drawFront,
  drawLosses,
  type CostAxis,
} from '../parts/funnel-charts.ts';
import { Page } from '../parts/page.ts';
import { pick } from '../parts/pick.ts';
import { nameEvaluation } from '../parts/status.ts';
import { pageStyles } from '../parts/styles.ts';
import { navigate, pathTo, type Route } from '../shell/router.ts';
import { formatCount, formatDifference, language, t } from '../texts/texts.ts';

export const tag = 'ge-funnel-page';

interface Data {
  readonly evaluation: Schemas['Evaluation'];
  readonly configuration: string;
  readonly measure: string;
  readonly curves: Schemas['DepthCurves'];
  readonly pareto: Schemas['Pareto'];
  readonly diagnosis: Schemas['Diagnosis'];
  readonly tops: Schemas['TopDocuments'];
  readonly ablation: Schemas['Ablation'] | undefined;
}

/** What each step of a search buys and where relevant documents are lost. */
class FunnelPage extends Page<Data> {
  static override styles = [
    pageStyles,
    css`
      .controls {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1rem;
      }
    `,
  ];

  protected override heading({ evaluation }: Data): string {
    return t('funnelOf', { name: nameEvaluation(evaluation) });
  }

  protected override needsData(before: Route): boolean {
    return dataKey(before) !== dataKey(this.route);
  }

  protected override async load(signal: AbortSignal): Promise<Data> {
    const id = this.route.params['id'] ?? '';
    const path = { id };
    const evaluation = await ask(api.GET('/v1/eval/{id}', { params: { path }, signal }));
    const names = evaluation.configurations.map(({ name }) => name);
    const configuration = this.route.query.get('configuration') ?? names[0] ?? '';
    const measure = this.route.query.get('measure') ?? pickHeadline(evaluation.measures);
    const query = { configuration };
    const [curves, pareto, diagnosis, tops, ablation] = await Promise.all([
      ask(
        api.GET('/v1/eval/{id}/depth-curve', {
          params: { path, query: { ...query, measure: [measure] } },
          signal,
        }),
      ),
      ask(
        api.GET('/v1/eval/{id}/pareto', {
          params: { path, query: { measure, against: ['latency', 'calls', 'cost'] } },
          signal,
        }),
      ),
      ask(api.GET('/v1/eval/{id}/diagnosis', { params: { path, query }, signal })),
      ask(
        api.GET('/v1/eval/{id}/top-documents', {
          params: { path, query: { ...query, limit: 5 } },
          signal,
        }),
      ),
      names.includes(`${configuration}.plain`)
        ? ask(
            api.GET('/v1/eval/{id}/ablation', {
              params: { path, query: { ...query, measure, limit: 0 } },
              signal,
            }),
          )
        : undefined,
    ]);
    return { evaluation, configuration, measure, curves, pareto, diagnosis, tops, ablation };
  }

  protected override content(data: Data): TemplateResult {
    const { evaluation, configuration, measure, diagnosis, pareto, curves } = data;
    const axis = axisOf(this.route.query.get('against'), pareto);
    return html`<div>
        <h1>${this.heading(data)}</h1>
        <p><a href=${pathTo(['evaluations', evaluation.id])}>${t('backToScorecard')}</a></p>
      </div>
      ${this.#controls(data, axis)}
      <div class="columns">
        <section class="card" aria-label=${t('depth')}>
          <h2>${t('depth')}</h2>
          <ge-chart .draw=${(width: number) => drawCurve(curves, width)}></ge-chart>
          <p class="quiet">${t('oracleNote')}</p>
        </section>
        <section class="card" aria-label=${t('causes')}>
          <h2>${t('causes')}</h2>
          ${
            diagnosis.lost === 0
              ? html`<p>${t('nothingLost', { k: diagnosis.k })}</p>`
              : html`<ge-chart .draw=${(width: number) => drawLosses(diagnosis, width)}></ge-chart>`
          }
          ${diagnosis.advice.map((sentence) => html`<p class="quiet" lang="en">${sentence}</p>`)}
        </section>
        <section class="card" aria-label=${t('qualityAgainst')}>
          <h2>${t('qualityAgainst')}</h2>
          <ge-chart .draw=${(width: number) => drawFront(pareto, axis, width)}></ge-chart>
          <p class="quiet">${t('frontNote', { count: pareto.questions })}</p>
        </section>
      </div>
      ${renderKinds(evaluation, measure)} ${renderAblation(data)}
      ${renderTops(data.tops, configuration)}`;
  }

  #controls({ evaluation, configuration, measure }: Data, axis: CostAxis): TemplateResult {
    return html`<div class="controls">
      ${pick({
        id: 'configuration',
        text: t('configuration'),
        value: configuration,
        options: evaluation.configurations.map(({ name }) => [name, name]),
        change: (value) => this.#set({ configuration: value }),
      })}
      ${pick({
        id: 'measure',
        text: t('measure'),
        value: measure,
        options: evaluation.measures.map((name) => [name, name]),
        change: (value) => this.#set({ measure: value }),
      })}
      ${pick({
        id: 'against',
        text: t('against'),
        value: axis,
        options: costAxes.map(([name, key]) => [name, t(key)]),
        change: (value) => this.#set({ against: value }),
      })}
    </div>`;
  }

  #set(changes: Readonly<Record<string, string>>): void {
    const query = { ...Object.fromEntries(this.route.query), ...changes };
    navigate(pathTo(['funnel', this.route.params['id'] ?? ''], query), { replace: true });
  }
}

/** What a route asks the service for. */
function dataKey({ params, query }: Route): string {
  return [params['id'], query.get('configuration'), query.get('measure')].join();
}

function renderKinds({ scorecard }: Schemas['Evaluation'], measure: string) {
  const rows = scorecard ?? [];
  const kinds = Object.keys(rows[0]?.slices['kind'] ?? {});
  if (kinds.length === 0) return nothing;
  const draw = (width: number) =>
    drawHeatmap(
      {
        title: t('kindsTitle', { measure }),
        corner: t('kind'),
        columns: rows.map(({ configuration }) => configuration),
        rows: kinds.map((name) => ({
          name,
          values: rows.map(({ slices }) => slices['kind']?.[name]?.measures[measure] ?? null),
        })),
      },
      { width, locale: language },
    );
  return html`<section class="card" aria-label=${t('kind')}>
    <h2>${t('kind')}</h2>
    <ge-chart .draw=${draw}></ge-chart>
  </section>`;
}

function renderAblation({ ablation }: Data) {
  if (!ablation) return nothing;
  return html`<section class="card" aria-labelledby="stages">
    <h2 id="stages">${t('stagesOnOff')}</h2>
    <div class="scroll" tabindex="0" role="group" aria-labelledby="stages">
      <table>
        <thead>
          <tr>
            <th scope="col" class="sticky">${t('stage')}</th>
            <th scope="col" class="number">${ablation.measure}</th>
            <th scope="col" class="number">${t('low')}</th>
            <th scope="col" class="number">${t('high')}</th>
            <th scope="col" class="number">${t('gainedLost')}</th>
          </tr>
        </thead>
        <tbody>
          ${ablation.steps.map(
            ({ from, to, meanDifference, interval, gained, lost }) =>
              html`<tr>
                <th scope="row" class="sticky">${from} → ${to}</th>
                <td class="number">${formatDifference(meanDifference)}</td>
                <td class="number">${formatDifference(interval?.low)}</td>
                <td class="number">${formatDifference(interval?.high)}</td>
                <td class="number">▲ ${formatCount(gained.count)} ▼ ${formatCount(lost.count)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function renderTops({ items, questions }: Schemas['TopDocuments'], configuration: string) {
  return html`<section class="card" aria-labelledby="tops">
    <h2 id="tops">${t('topDocuments', { configuration })}</h2>
    <p class="quiet">${t('topDocumentsNote', { count: questions })}</p>
    <div class="scroll" tabindex="0" role="group" aria-labelledby="tops">
      <table>
        <thead>
          <tr>
            <th scope="col" class="sticky">${t('document')}</th>
            <th scope="col" class="number">${t('timesFirst')}</th>
            <th scope="col" class="number">${t('ofTheseRelevant')}</th>
            <th scope="col" class="number">${t('unjudged')}</th>
          </tr>
        </thead>
        <tbody>
          ${items.map(
            ({ documentId, first, firstRelevant, firstUnjudged }) =>
              html`<tr>
                <th scope="row" class="sticky">${documentId}</th>
                <td class="number">${formatCount(first)}</td>
                <td class="number">${formatCount(firstRelevant)}</td>
                <td class="number">${formatCount(firstUnjudged)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

customElements.define(tag, FunnelPage);
