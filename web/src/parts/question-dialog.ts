import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/Dialog.js';
import '@ui5/webcomponents/dist/Input.js';
import '@ui5/webcomponents/dist/Label.js';
import '@ui5/webcomponents/dist/MessageStrip.js';
import '@ui5/webcomponents/dist/TextArea.js';
import type Input from '@ui5/webcomponents/dist/Input.js';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';

import { api, ask, type Schemas } from '../api/client.ts';
import { t } from '../texts/texts.ts';
import { pageStyles } from './styles.ts';

type Question = Schemas['Question'];
type Preview = Schemas['ImportPreview'];

const fields = [
  ['kind', 'kind'],
  ['process', 'process'],
  ['language', 'questionLanguage'],
] as const;
type Field = 'id' | 'text' | (typeof fields)[number][0];

/** Edits a question of a set or adds one; says what it would change before it is stored. */
export class QuestionDialog extends LitElement {
  static override styles = [
    pageStyles,
    css`
      .form {
        display: grid;
        gap: 0.75rem;
        width: min(32rem, 80vw);
      }
      .form > div {
        display: grid;
        gap: 0.25rem;
      }
    `,
  ];
  static override properties = {
    set: { attribute: false },
    isOpen: { state: true },
    isNew: { state: true },
    question: { state: true },
    preview: { state: true },
    failure: { state: true },
  };
  declare set: string;
  declare protected isOpen: boolean;
  declare protected isNew: boolean;
  declare protected question: Question;
  declare protected preview: Preview | undefined;
  declare protected failure: string | undefined;

  constructor() {
    super();
    this.set = '';
    this.isOpen = false;
    this.isNew = false;
    this.question = { id: '', text: '' };
  }

  /** Without a question: to add one. */
  open(question?: Question): void {
    this.isNew = question === undefined;
    this.question = question ?? { id: '', text: '' };
    this.preview = undefined;
    this.failure = undefined;
    this.isOpen = true;
  }

  override render(): TemplateResult {
    const { preview, failure } = this;
    return html`<ui5-dialog
      header-text=${this.isNew ? t('addQuestion') : t('editQuestion', { id: this.question.id })}
      ?open=${this.isOpen}
      @close=${() => (this.isOpen = false)}
    >
      <div class="form">
        ${
          failure === undefined
            ? nothing
            : html`<ui5-message-strip design="Negative" hide-close-button role="alert"
                >${failure}</ui5-message-strip
              >`
        }
        ${this.isNew ? this.#field('id', t('id')) : nothing}
        <div>
          <ui5-label for="text" required show-colon>${t('question')}</ui5-label>
          <ui5-textarea
            id="text"
            rows="3"
            maxlength="10000"
            accessible-name=${t('question')}
            .value=${this.question.text}
            @input=${(event: Event) => this.#change('text', (event.target as Input).value)}
          ></ui5-textarea>
        </div>
        ${fields.map(([name, key]) => this.#field(name, t(key)))}
        ${preview ? html`<p role="status">${t('previewCounts', toCounts(preview))}</p>` : nothing}
      </div>
      <div slot="footer" class="footer">
        <ui5-button design="Emphasized" @click=${() => this.#save(preview === undefined)}
          >${preview ? t('save') : t('seeChange')}</ui5-button
        >
        <ui5-button design="Transparent" @click=${() => (this.isOpen = false)}
          >${t('cancel')}</ui5-button
        >
      </div>
    </ui5-dialog>`;
  }

  #field(name: Field, text: string): TemplateResult {
    return html`<div>
      <ui5-label for=${name} show-colon>${text}</ui5-label>
      <ui5-input
        id=${name}
        .value=${this.question[name] ?? ''}
        @input=${(event: Event) => this.#change(name, (event.target as Input).value)}
      ></ui5-input>
    </div>`;
  }

  #change(name: Field, value: string): void {
    const { [name]: _old, ...rest } = this.question;
    const isNeeded = name === 'id' || name === 'text';
    this.question = (value === '' && !isNeeded ? rest : { ...rest, [name]: value }) as Question;
    this.preview = undefined;
  }

  /** The set is sent whole; what others changed since it was read is refused. */
  async #save(isPreview: boolean): Promise<void> {
    this.failure = undefined;
    try {
      const path = { name: this.set };
      const read = api.GET('/v1/question-sets/{name}', { params: { path } });
      const { questions, description } = await ask<Schemas['QuestionSet']>(read);
      const { response } = await read;
      const saved = await ask(
        api.PUT('/v1/question-sets/{name}', {
          params: {
            path,
            query: isPreview ? { preview: 'true' } : {},
            header: { 'if-match': response.headers.get('etag') ?? '' },
          },
          body: {
            ...(description !== null && { description }),
            questions: mergeQuestion(questions, this.question, this.isNew),
          },
        }),
      );
      if (isPreview) this.preview = saved as Preview;
      else {
        this.isOpen = false;
        this.dispatchEvent(new CustomEvent('saved'));
      }
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }
}

/** A new id that is taken already is refused by the service, which names the duplicate. */
function mergeQuestion(
  questions: readonly Question[],
  changed: Question,
  isNew: boolean,
): Question[] {
  if (isNew) return [...questions, changed];
  return questions.map((each) => (each.id === changed.id ? changed : each));
}

function toCounts({ questions, added, changed, dropped, kept }: Preview) {
  return { questions, added, changed, dropped, kept };
}

customElements.define('ge-question-dialog', QuestionDialog);
