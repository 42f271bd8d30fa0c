import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/Input.js';
import '@ui5/webcomponents/dist/Label.js';
import '@ui5/webcomponents/dist/MessageStrip.js';
import type Input from '@ui5/webcomponents/dist/Input.js';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';

import { ProblemError, type Schemas } from '../api/client.ts';
import { sendFile, typeOfFile, type ImportKind, type Preview } from '../api/files.ts';
import { t } from '../texts/texts.ts';
import { pick } from './pick.ts';
import { pageStyles } from './styles.ts';

interface Chosen {
  readonly file: File;
  readonly preview: Preview | undefined;
}

/** Takes a file by drop or choice, says what it would change, and stores it when the reader agrees. */
export class ImportPanel extends LitElement {
  static override styles = [
    pageStyles,
    css`
      .drop {
        border: 2px dashed var(--sapField_BorderColor);
        border-radius: 0.5rem;
        padding: 1rem;
        display: grid;
        gap: 0.75rem;
        justify-items: start;
      }
      .drop.over {
        border-color: var(--sapContent_FocusColor);
        background: var(--sapList_Hover_Background);
      }
      label.file {
        display: grid;
        gap: 0.25rem;
      }
      input[type='file'] {
        font: inherit;
        color: inherit;
        max-width: 100%;
      }
    `,
  ];
  static override properties = {
    set: { attribute: false },
    judge: { attribute: false },
    kind: { state: true },
    name: { state: true },
    chosen: { state: true },
    problem: { state: true },
    isOver: { state: true },
    isBusy: { state: true },
  };
  /** Empty: the file makes a new set, which is named here. */
  declare set: string;
  /** In whose name graded pools are stored; undefined: the sender is known. */
  declare judge: string | undefined;
  declare protected kind: ImportKind;
  declare protected name: string;
  declare protected chosen: Chosen | undefined;
  declare protected problem: Schemas['Problem'] | string | undefined;
  declare protected isOver: boolean;
  declare protected isBusy: boolean;

  constructor() {
    super();
    this.set = '';
    this.judge = undefined;
    this.kind = 'questions';
    this.name = '';
    this.chosen = undefined;
    this.problem = undefined;
    this.isOver = false;
    this.isBusy = false;
  }

  override render(): TemplateResult {
    return html`<div
      class="drop ${this.isOver ? 'over' : ''}"
      @dragover=${(event: DragEvent) => {
        event.preventDefault();
        this.isOver = true;
      }}
      @dragleave=${() => (this.isOver = false)}
      @drop=${(event: DragEvent) => {
        event.preventDefault();
        this.isOver = false;
        void this.#choose(event.dataTransfer?.files[0]);
      }}
    >
      ${
        this.set === ''
          ? nothing
          : pick({
              id: 'kind',
              text: t('fileHolds'),
              value: this.kind,
              options: [
                ['questions', t('questions')],
                ['qrels', t('judgments')],
                ['pool', t('gradedPool')],
              ],
              change: (value) => this.#setKind(value as ImportKind),
            })
      }
      <label class="file"
        >${t('dropFile')}
        <input
          type="file"
          accept=".csv,.tsv,.json,.jsonl,.ndjson,.txt,.trec,.qrels"
          @change=${(event: Event) => void this.#choose((event.target as HTMLInputElement).files?.[0])}
      /></label>
      <p class="quiet">${t('fileHint')}</p>
      ${this.#renderProblem()} ${this.chosen ? this.#renderChosen(this.chosen) : nothing}
    </div>`;
  }

  #renderChosen({ file, preview }: Chosen): TemplateResult {
    return html`<p role="status">
        <strong>${file.name}</strong>
        ${preview ? t('previewCounts', toCounts(preview)) : nothing}
      </p>
      ${
        preview && preview.conflicts.total > 0
          ? html`<ui5-message-strip design="Critical" hide-close-button
              >${t('previewConflicts', { count: preview.conflicts.total })}</ui5-message-strip
            >`
          : nothing
      }
      ${
        this.set === ''
          ? html`<div>
              <ui5-label for="name">${t('name')}</ui5-label>
              <ui5-input
                id="name"
                value=${this.name}
                maxlength="64"
                @input=${(event: Event) => (this.name = (event.target as Input).value)}
              ></ui5-input>
            </div>`
          : nothing
      }
      <div class="actions">
        <ui5-button design="Emphasized" ?disabled=${this.isBusy} @click=${() => this.#store(file)}
          >${preview && preview.conflicts.total > 0 ? t('storeFileWins') : t('storeFile')}</ui5-button
        >
        <ui5-button design="Transparent" @click=${() => this.#setKind(this.kind)}
          >${t('cancel')}</ui5-button
        >
      </div>`;
  }

  #renderProblem() {
    const { problem } = this;
    if (problem === undefined) return nothing;
    const errors = typeof problem === 'string' ? [] : (problem.errors ?? []).slice(0, 10);
    return html`<ui5-message-strip design="Negative" hide-close-button role="alert"
      >${typeof problem === 'string' ? problem : problem.detail}
      <ul>
        ${errors.map(
          ({ line, detail }) =>
            html`<li>${line === undefined ? '' : t('inLine', { line })} ${detail}</li>`,
        )}
      </ul></ui5-message-strip
    >`;
  }

  #setKind(kind: ImportKind): void {
    this.kind = kind;
    this.chosen = undefined;
    this.problem = undefined;
  }

  async #choose(file: File | undefined): Promise<void> {
    if (!file) return;
    this.#setKind(this.kind);
    if (/\.(xlsx?|ods|numbers)$/i.test(file.name)) {
      this.problem = t('saveAsCsv', { name: file.name });
      return;
    }
    this.name = toName(file.name);
    await this.#try(async () => {
      const target = this.set === '' ? this.name : this.set;
      const preview =
        this.kind === 'pool'
          ? undefined
          : await sendFile(target, file, { kind: this.kind, preview: true });
      this.chosen = { file, preview: preview as Preview | undefined };
    });
  }

  async #store(file: File): Promise<void> {
    await this.#try(async () => {
      const target = this.set === '' ? this.name : this.set;
      const isForced = (this.chosen?.preview?.conflicts.total ?? 0) > 0;
      await sendFile(target, file, {
        kind: this.kind,
        judge: this.judge,
        judgments: isForced ? 'merge' : undefined,
      });
      this.chosen = undefined;
      this.dispatchEvent(new CustomEvent<string>('imported', { detail: target }));
    });
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.problem = undefined;
    try {
      await work();
    } catch (error) {
      const known = error instanceof ProblemError ? error.problem : undefined;
      this.problem = known ?? (error instanceof Error ? error.message : String(error));
    } finally {
      this.isBusy = false;
    }
  }
}

function toCounts({ questions, added, changed, dropped, kept }: Preview) {
  return { questions, added, changed, dropped, kept };
}

/** A name that the service takes, from that of a file. */
function toName(file: string): string {
  const plain = file
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return plain.slice(0, 64) || typeOfFile(file).split('/')[1] || 'questions';
}

customElements.define('ge-import', ImportPanel);
