import '../parts/chart.ts';
import '@ui5/webcomponents/dist/Tag.js';
import { css, html, nothing, type TemplateResult } from 'lit';

import { drawDifferences } from '../../../src/charts/differences-chart.ts';
import { drawIntervals } from '../../../src/charts/intervals-chart.ts';
import { pickHeadline } from '../../../src/charts/headline.ts';
import { api, ask, type Schemas } from '../api/client.ts';
import { Page } from '../parts/page.ts';
import { pick } from '../parts/pick.ts';
import { nameEvaluation } from '../parts/status.ts';
import { pageStyles } from '../parts/styles.ts';
import { navigate, pathTo } from '../shell/router.ts';
import {
  formatDifference,
  formatP,
  formatValue,
  language,
  t,
  type TextKey,
} from '../texts/texts.ts';

export const tag = 'ge-comparison-page';

type Comparison = Schemas['Comparison'];

interface Data {
  readonly evaluation: Schemas['Evaluation'];
  readonly baseline: string;
  readonly candidate: string;
  readonly measure: string;
  readonly comparison: Comparison;
}

const verdicts: Readonly<Record<Comparison['verdict'], readonly [TextKey, string]>> = {
  better: ['comparisonBetter', 'good'],
  worse: ['comparisonWorse', 'bad'],
  inconclusive: ['comparisonInconclusive', 'critical'],
};

/** Questions that moved are shown up to here; all of them are in the list of questions. */
const shownQuestions = 50;

class ComparisonPage extends Page<Data> {
  static override styles = [
    pageStyles,
    css`
      .verdict {
        font-size: 1.15rem;
        line-height: 1.5;
      }
      .controls {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1rem;
        align-items: end;
      }
      .controls > div {
        display: grid;
        gap: 0.25rem;
      }
      th small {
        color: var(--sapContent_LabelColor);
        display: block;
      }
    `,
  ];

  protected override heading({ baseline, candidate }: Data): string {
    return t('comparisonOf', { baseline, candidate });
  }

  protected override async load(signal: AbortSignal): Promise<Data> {
    const { query } = this.route;
    const id = query.get('evaluation') ?? '';
    const evaluation = await ask(api.GET('/v1/eval/{id}', { params: { path: { id } }, signal }));
    const names = evaluation.configurations.map(({ name }) => name);
    const baseline = query.get('baseline') ?? names[0] ?? '';
    const candidate = query.get('candidate') ?? names.find((name) => name !== baseline) ?? '';
    const measure = query.get('measure') ?? pickHeadline(evaluation.measures);
    const answer = await ask(
      api.POST('/v1/compare', { body: { evaluation: id, baseline, candidate, measure }, signal }),
    );
    if (!('verdict' in answer)) throw new TypeError('The answer is a family of comparisons');
    return { evaluation, baseline, candidate, measure, comparison: answer };
  }

  protected override content(data: Data): TemplateResult {
    const { evaluation, comparison, baseline, candidate, measure } = data;
    const [key, tone] = verdicts[comparison.verdict];
    const { interval, meanDifference, questions, wins, losses, ties } = comparison;
    return html`<div>
        <h1>${this.heading(data)}</h1>
        <p>
          <a href=${pathTo(['evaluations', evaluation.id])}>${nameEvaluation(evaluation)}</a>
        </p>
      </div>
      ${this.#controls(data)}
      <section class="card" aria-label=${t('verdict')}>
        <p class="verdict">
          <strong class=${tone}>${t(key, { candidate, baseline, measure })}</strong>
          ${t('comparisonFigures', {
            difference: formatDifference(meanDifference),
            low: formatDifference(interval?.low),
            high: formatDifference(interval?.high),
            count: questions,
          })}
          ${t('comparisonCounts', { wins, losses, ties })}
        </p>
        <details>
          <summary>${t('tests')}</summary>
          <p>${comparison.explanation}</p>
          ${renderTests(comparison)}
        </details>
        ${comparison.warnings.map(
          ({ side, message }) => html`<p class="critical">${data[side]}: ${message}</p>`,
        )}
        ${comparison.notes.map((note) => html`<p class="quiet">${note}</p>`)}
      </section>
      <div class="columns">
        <section class="card" aria-label=${t('meanDifference')}>
          <ge-chart .draw=${(width: number) => drawInterval(data, width)}></ge-chart>
          <p class="quiet">${t('differenceNote')}</p>
        </section>
        <section class="card" aria-label=${t('differences')}>
          <ge-chart .draw=${(width: number) => drawHistogram(data, width)}></ge-chart>
        </section>
      </div>
      ${this.#moved(data)}`;
  }

  #controls({ evaluation, baseline, candidate, measure }: Data): TemplateResult {
    const names = evaluation.configurations.map(({ name }): [string, string] => [name, name]);
    return html`<div class="controls">
      ${pick({
        id: 'baseline',
        text: t('baseline'),
        value: baseline,
        options: names.filter(([name]) => name !== candidate),
        change: (value) => this.#set({ baseline: value }),
      })}
      ${pick({
        id: 'candidate',
        text: t('candidate'),
        value: candidate,
        options: names.filter(([name]) => name !== baseline),
        change: (value) => this.#set({ candidate: value }),
      })}
      ${pick({
        id: 'measure',
        text: t('measure'),
        value: measure,
        options: evaluation.measures.map((name) => [name, name]),
        change: (value) => this.#set({ measure: value }),
      })}
    </div>`;
  }

  #moved({ evaluation, comparison, baseline, candidate, measure }: Data): TemplateResult {
    const moved = comparison.perQuestion
      .filter(({ outcome }) => outcome !== 'tie')
      .toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
      .slice(0, shownQuestions);
    if (moved.length === 0) return html`<p>${t('nothingMoved')}</p>`;
    const query = { measure, sort: 'difference', columns: `${baseline},${candidate}` };
    return html`<section class="card" aria-labelledby="moved">
      <h2 id="moved">${t('movedMost')}</h2>
      <div class="scroll" tabindex="0" role="group" aria-label=${t('movedMost')}>
        <table>
          <thead>
            <tr>
              <th scope="col" class="sticky">${t('question')}</th>
              <th scope="col" class="number">${baseline}</th>
              <th scope="col" class="number">${candidate}</th>
              <th scope="col" class="number">${t('difference')}</th>
            </tr>
          </thead>
          <tbody>
            ${moved.map(
              (row) =>
                html`<tr>
                  <th scope="row" class="sticky">
                    <a href=${pathTo(['evaluations', evaluation.id, 'questions', row.id], query)}
                      >${row.text}</a
                    ><small>${row.id}</small>
                  </th>
                  <td class="number">${formatValue(row.baseline)}</td>
                  <td class="number">${formatValue(row.candidate)}</td>
                  <td class="number ${row.outcome === 'loss' ? 'bad' : 'good'}">
                    ${row.outcome === 'loss' ? '▼' : '▲'} ${formatDifference(row.difference)}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  #set(changes: Readonly<Record<string, string>>): void {
    const query = { ...Object.fromEntries(this.route.query), ...changes };
    navigate(pathTo(['comparisons'], query), { replace: true });
  }
}

function drawInterval({ comparison, candidate, baseline }: Data, width: number) {
  const { meanDifference, interval, measure } = comparison;
  return drawIntervals(
    {
      title: t('meanDifferenceTitle', { measure, candidate, baseline }),
      columns: { name: '', value: t('meanDifference'), low: t('low'), high: t('high') },
      rows: [{ name: candidate, value: meanDifference, interval }],
      reference: { value: 0, name: baseline },
    },
    { width, locale: language },
  );
}

function drawHistogram({ comparison }: Data, width: number) {
  const { wins, losses, ties, perQuestion } = comparison;
  return drawDifferences(
    {
      title: t('differencesTitle', { wins, losses, ties }),
      differences: perQuestion.map(({ difference }) => difference),
      texts: {
        worse: t('worse', { count: losses }),
        equal: t('equal', { count: ties }),
        better: t('better', { count: wins }),
        difference: t('difference'),
        questions: t('questions'),
      },
    },
    { width, locale: language },
  );
}

function renderTests({
  tests,
  effectSize,
  minimumDetectableDifference,
}: Comparison): TemplateResult {
  const lines: readonly (readonly [TextKey, number | null])[] = [
    ['testRandomization', tests.randomization.p],
    ['testT', tests.t.p],
    ['testWilcoxon', tests.wilcoxon.p],
    ['testSign', tests.sign.p],
    ['testGuaranteed', tests.guaranteed.p],
  ];
  return html`<dl class="facts">
    ${lines.map(
      ([key, p]) =>
        html`<dt>${t(key)}</dt>
          <dd>p = ${formatP(p)}</dd>`,
    )}
    <dt>${t('effectSize')}</dt>
    <dd>${formatValue(effectSize)}</dd>
    <dt>${t('detectable')}</dt>
    <dd>
      ${minimumDetectableDifference === null ? nothing : formatValue(minimumDetectableDifference)}
    </dd>
  </dl>`;
}

customElements.define(tag, ComparisonPage);
