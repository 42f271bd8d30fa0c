import '../parts/chart.ts';
import { css, html, nothing, type TemplateResult } from 'lit';

import type { Chart } from '../../../src/charts/chart.ts';
import { pickHeadline } from '../../../src/charts/headline.ts';
import { drawTrend } from '../../../src/charts/trend-chart.ts';
import { api, ask, type Schemas } from '../api/client.ts';
import { Page } from '../parts/page.ts';
import { pick } from '../parts/pick.ts';
import { pageStyles } from '../parts/styles.ts';
import { navigate, pathTo } from '../shell/router.ts';
import { formatDifference, formatTime, formatValue, language, none, t } from '../texts/texts.ts';

export const tag = 'ge-trends-page';

type Trends = Schemas['Trends'];
type Series = Trends['series'][number];
type Night = Series['nights'][number];

/** The runs of a baseline from night to night: what fell, and whether the evidence suffices for an alarm. */
class TrendsPage extends Page<Trends> {
  static override styles = [
    pageStyles,
    css`
      .controls {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1rem;
      }
      td ul {
        margin: 0;
        padding-inline-start: 1rem;
      }
    `,
  ];

  protected override heading({ baseline }: Trends): string {
    return t('trendOf', { baseline: baseline.name });
  }

  protected override needsData(before: this['route']): boolean {
    return before.params['baseline'] !== this.route.params['baseline'];
  }

  protected override load(signal: AbortSignal): Promise<Trends> {
    const baseline = this.route.params['baseline'] ?? '';
    return ask(api.GET('/v1/trends', { params: { query: { baseline } }, signal }));
  }

  protected override content(trends: Trends): TemplateResult {
    const { baseline, series } = trends;
    const measures = [...new Set(series.map(({ measure }) => measure))];
    const measure = this.route.query.get('measure') ?? pickHeadline(measures);
    const shown = series.filter((each) => each.measure === measure);
    return html`<div>
        <h1>${this.heading(trends)}</h1>
        <p class="quiet">
          ${t('baselineIs', { configuration: baseline.configuration })}
          <a href=${pathTo(['evaluations', baseline.evaluation])}>${t('itsEvaluation')}</a>
        </p>
      </div>
      ${
        measures.length === 0
          ? html`<section class="card"><p>${t('noRuns')}</p></section>`
          : html`<div class="controls">
              ${pick({
                id: 'measure',
                text: t('measure'),
                value: measure,
                options: measures.map((name) => [name, name]),
                change: (value) => this.#choose(value),
              })}
            </div>`
      }
      ${shown.map(renderSeries)}`;
  }

  #choose(measure: string): void {
    const path = ['trends', this.route.params['baseline'] ?? ''];
    navigate(pathTo(path, { measure }), { replace: true });
  }
}

function renderSeries(series: Series): TemplateResult {
  const { configuration, measure, drift } = series;
  const nights = series.nights.toSorted((a, b) => a.finishedAt.localeCompare(b.finishedAt));
  const isWorse = drift.verdict === 'worse';
  return html`<section class="card" aria-label=${configuration}>
    <h2>${configuration}</h2>
    <p class=${isWorse ? 'bad' : 'quiet'}>
      <strong>${isWorse ? t('driftWorse', { configuration, measure }) : t('driftNone')}</strong>
      ${t('evidenceOf', {
        evidence: formatValue(drift.evidence),
        threshold: formatValue(drift.threshold),
      })}
      ${drift.alarm === null ? nothing : t('alarmSince', { time: formatTime(drift.alarm.finishedAt) })}
    </p>
    <ge-chart .draw=${(width: number) => draw(series, nights, width)}></ge-chart>
    <p class="quiet">${t('bandNote')}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${t('runsOf', { configuration })}>
      <table>
        <thead>
          <tr>
            <th scope="col" class="sticky">${t('finishedAt')}</th>
            <th scope="col" class="number">${measure}</th>
            <th scope="col" class="number">${t('difference')}</th>
            <th scope="col" class="number">${t('evidence')}</th>
            <th scope="col">${t('note')}</th>
          </tr>
        </thead>
        <tbody>
          ${nights.toReversed().map(renderNight)}
        </tbody>
      </table>
    </div>
  </section>`;
}

function renderNight(night: Night): TemplateResult {
  const { evaluation, finishedAt, label, means, meanDifference, evidence, faults } = night;
  return html`<tr>
    <th scope="row" class="sticky">
      <a href=${pathTo(['evaluations', evaluation])}>${formatTime(finishedAt)}</a>
    </th>
    <td class="number">${formatValue(means.night)}</td>
    <td class="number">${formatDifference(meanDifference)}</td>
    <td class="number">${formatValue(evidence)}</td>
    <td>
      ${
        faults.length === 0
          ? (label ?? none)
          : html`<strong class="critical">${t('doesNotCount')}</strong>
              <ul>
                ${faults.map(({ detail }) => html`<li>${detail}</li>`)}
              </ul>`
      }
    </td>
  </tr>`;
}

function draw(series: Series, nights: readonly Night[], width: number): Chart {
  const { configuration, measure, drift } = series;
  const last = nights.findLast(({ status }) => status === 'valid');
  const value = last?.means.baseline ?? null;
  const title =
    drift.verdict === 'worse'
      ? t('driftWorse', { configuration, measure })
      : t('trendTitle', { configuration, measure, count: drift.validNights });
  return drawTrend(
    {
      title,
      runs: nights.map(({ finishedAt, means, meanDifference, interval, status, faults }) => ({
        name: formatTime(finishedAt),
        value: means.night,
        interval: toMeanInterval(means.baseline, meanDifference, interval),
        issue: status === 'valid' ? undefined : faults.map(({ detail }) => detail).join('; '),
      })),
      baseline: value === null ? null : { value, low: value - (last?.margin ?? 0) },
      columns: {
        run: t('finishedAt'),
        value: measure,
        low: t('low'),
        high: t('high'),
        note: t('note'),
      },
      baselineName: t('baseline'),
    },
    { width, locale: language },
  );
}

/** The interval of a run is one of its difference from the baseline; drawn, it stands around the run's mean. */
function toMeanInterval(
  baseline: number | null,
  difference: number | null,
  interval: Night['interval'],
): { readonly low: number; readonly high: number } | null {
  if (baseline === null || difference === null || interval === null) return null;
  return { low: baseline + interval.low, high: baseline + interval.high };
}

customElements.define(tag, TrendsPage);
