import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/MessageStrip.js';
import '../parts/import-panel.ts';
import '../parts/question-dialog.ts';
import { css, html, nothing, type TemplateResult } from 'lit';

import { api, ask, type Schemas } from '../api/client.ts';
import { download, readQuestions } from '../api/files.ts';
import { getSession, type Scope } from '../api/session.ts';
import { knownJudge } from '../parts/judge-name.ts';
import { Page } from '../parts/page.ts';
import type { QuestionDialog } from '../parts/question-dialog.ts';
import { pageStyles } from '../parts/styles.ts';
import { pathTo } from '../shell/router.ts';
import { formatCount, formatTime, none, t } from '../texts/texts.ts';

export const tag = 'ge-question-set-page';

interface Data {
  readonly name: string;
  readonly questions: readonly Schemas['Question'][];
  readonly hasMore: boolean;
  readonly versions: Schemas['QuestionSetVersionPage']['items'];
  readonly judgments: Schemas['JudgmentPage'];
  readonly scopes: readonly Scope[];
  readonly judge: string | undefined;
}

/** Rows that are shown at first and with each "show more". */
const step = 200;
const shownJudgments = 50;

const exports = [
  ['', 'application/json', 'json', 'JSON'],
  ['', 'application/x-ndjson', 'ndjson', 'NDJSON'],
  ['?format=beir', 'application/x-ndjson', 'queries.jsonl', 'BEIR queries'],
  ['/qrels', 'text/plain', 'qrels.txt', 'TREC qrels'],
  ['/qrels', 'text/csv', 'qrels.csv', 'CSV qrels'],
  ['/qrels', 'text/tab-separated-values', 'qrels.tsv', 'BEIR qrels'],
] as const;

/** A question set: its questions, who judged what, its versions; files in and out. */
class QuestionSetPage extends Page<Data> {
  static override styles = [
    pageStyles,
    css`
      td.text {
        min-width: 16rem;
      }
      .exports {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem;
      }
    `,
  ];
  static override properties = { notice: { state: true }, failure: { state: true } };
  declare protected notice: string | undefined;
  declare protected failure: string | undefined;
  #shown = step;

  protected override heading({ name }: Data): string {
    return name;
  }

  protected override async load(signal: AbortSignal): Promise<Data> {
    const name = this.route.params['set'] ?? '';
    const path = { name };
    const [{ scopes, name: sender }, read, versions, judgments] = await Promise.all([
      getSession(),
      readQuestions(name, this.#shown, signal),
      ask(api.GET('/v1/question-sets/{name}/versions', { params: { path }, signal })),
      ask(
        api.GET('/v1/question-sets/{name}/judgments', {
          params: { path, query: { limit: shownJudgments } },
          signal,
        }),
      ),
    ]);
    const judge = sender === null ? (knownJudge() ?? '') : undefined;
    return { name, ...read, versions: versions.items, judgments, scopes, judge };
  }

  protected override content(data: Data): TemplateResult {
    const { name, versions, scopes, judge } = data;
    const mayLabel = scopes.includes('Label');
    const [latest] = versions;
    return html`<div class="head">
        <div>
          <h1>${name}</h1>
          ${
            latest
              ? html`<p class="quiet">
                  ${t('setCounts', {
                    version: latest.version,
                    questions: latest.questions,
                    judgments: latest.judgments,
                  })}
                </p>`
              : nothing
          }
        </div>
        <div class="actions">
          ${
            mayLabel
              ? html`<a href=${pathTo(['judge', name])}>${t('judge')}</a>
                  <ui5-button @click=${() => this.#edit()}>${t('addQuestion')}</ui5-button>`
              : nothing
          }
        </div>
      </div>
      ${this.#message(this.notice, 'Positive')} ${this.#message(this.failure, 'Negative')}
      ${this.#questions(data, mayLabel)}
      <div class="columns">
        ${
          mayLabel
            ? html`<section class="card" aria-labelledby="import">
                <h2 id="import">${t('importFile')}</h2>
                <ge-import
                  .set=${name}
                  .judge=${judge}
                  @imported=${() => this.#saved()}
                ></ge-import>
              </section>`
            : nothing
        }
        <section class="card" aria-labelledby="export">
          <h2 id="export">${t('exportFile')}</h2>
          <div class="exports">
            ${exports.map(
              ([path, accept, ending, text]) =>
                html`<ui5-button
                  design="Transparent"
                  @click=${() => this.#download(name, { path, accept, ending })}
                  >${text}</ui5-button
                >`,
            )}
          </div>
        </section>
      </div>
      ${renderJudgments(data)} ${renderVersions(versions)}
      <ge-question-dialog .set=${name} @saved=${() => this.#saved()}></ge-question-dialog>`;
  }

  #message(text: string | undefined, design: 'Positive' | 'Negative') {
    if (text === undefined) return nothing;
    return html`<ui5-message-strip
      design=${design}
      hide-close-button
      role=${design === 'Negative' ? 'alert' : 'status'}
      >${text}</ui5-message-strip
    >`;
  }

  #questions({ questions, hasMore }: Data, mayLabel: boolean): TemplateResult {
    return html`<section class="card" aria-labelledby="questions">
      <h2 id="questions">${t('questions')}</h2>
      <div class="scroll" tabindex="0" role="group" aria-labelledby="questions">
        <table>
          <thead>
            <tr>
              <th scope="col" class="sticky">${t('id')}</th>
              <th scope="col">${t('question')}</th>
              <th scope="col">${t('kind')}</th>
              <th scope="col" class="number">${t('judgments')}</th>
              ${mayLabel ? html`<th scope="col">${t('actions')}</th>` : nothing}
            </tr>
          </thead>
          <tbody>
            ${questions.map(
              (question) =>
                html`<tr>
                  <th scope="row" class="sticky">${question.id}</th>
                  <td class="text">${question.text}</td>
                  <td>${question.kind ?? none}</td>
                  <td class="number">
                    ${formatCount(Object.keys(question.relevant ?? {}).length)}
                  </td>
                  ${
                    mayLabel
                      ? html`<td>
                          <ui5-button
                            design="Transparent"
                            accessible-name=${t('editQuestion', { id: question.id })}
                            @click=${() => this.#edit(question)}
                            >${t('edit')}</ui5-button
                          >
                        </td>`
                      : nothing
                  }
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${
        hasMore
          ? html`<ui5-button design="Transparent" @click=${() => this.#more()}
              >${t('showMore')}</ui5-button
            >`
          : nothing
      }
    </section>`;
  }

  #edit(question?: Schemas['Question']): void {
    this.renderRoot.querySelector<QuestionDialog>('ge-question-dialog')?.open(question);
  }

  #more(): void {
    this.#shown += 5 * step;
    void this.reload();
  }

  async #saved(): Promise<void> {
    await this.reload();
    this.notice = t('setSaved');
  }

  async #download(
    name: string,
    {
      path,
      accept,
      ending,
    }: { readonly path: string; readonly accept: string; readonly ending: string },
  ): Promise<void> {
    this.failure = undefined;
    try {
      await download(
        `/v1/question-sets/${encodeURIComponent(name)}${path}`,
        accept,
        `${name}.${ending}`,
      );
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }
}

function renderJudgments({ judgments: { items, nextCursor } }: Data): TemplateResult {
  return html`<details class="card">
    <summary>${t('whoJudged')}</summary>
    <div class="scroll" tabindex="0" role="group" aria-label=${t('whoJudged')}>
      <table>
        <thead>
          <tr>
            <th scope="col" class="sticky">${t('question')}</th>
            <th scope="col">${t('document')}</th>
            <th scope="col" class="number">${t('grade')}</th>
            <th scope="col">${t('judgedBy')}</th>
            <th scope="col">${t('judgedAt')}</th>
            <th scope="col">${t('version')}</th>
            <th scope="col">${t('note')}</th>
          </tr>
        </thead>
        <tbody>
          ${items.map(
            (each) =>
              html`<tr>
                <th scope="row" class="sticky">${each.questionId}</th>
                <td>${each.documentId}</td>
                <td class="number">${formatCount(each.grade)}</td>
                <td>${each.judge ?? t('fromFile')}</td>
                <td>${formatTime(each.judgedAt)}</td>
                <td>${each.documentVersion ?? none}</td>
                <td>${each.note ?? none}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${nextCursor === null ? nothing : html`<p class="quiet">${t('firstOnly', { count: items.length })}</p>`}
  </details>`;
}

function renderVersions(versions: Data['versions']): TemplateResult {
  return html`<details class="card">
    <summary>${t('versions')}</summary>
    <div class="scroll" tabindex="0" role="group" aria-label=${t('versions')}>
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">${t('version')}</th>
            <th scope="col">${t('finishedAt')}</th>
            <th scope="col" class="number">${t('questions')}</th>
            <th scope="col" class="number">${t('judgments')}</th>
          </tr>
        </thead>
        <tbody>
          ${versions.map(
            ({ version, createdAt, questions, judgments }) =>
              html`<tr>
                <td class="number">${formatCount(version)}</td>
                <td>${formatTime(createdAt)}</td>
                <td class="number">${formatCount(questions)}</td>
                <td class="number">${formatCount(judgments)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}

customElements.define(tag, QuestionSetPage);
