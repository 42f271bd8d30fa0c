import '@ui5/webcomponents/dist/Bar.js';
import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/CheckBox.js';
import '@ui5/webcomponents/dist/Dialog.js';
import '@ui5/webcomponents/dist/Input.js';
import '@ui5/webcomponents/dist/Label.js';
import '@ui5/webcomponents/dist/MessageStrip.js';
import '@ui5/webcomponents/dist/Option.js';
import '@ui5/webcomponents/dist/Select.js';
import type CheckBox from '@ui5/webcomponents/dist/CheckBox.js';
import type Input from '@ui5/webcomponents/dist/Input.js';
import type Select from '@ui5/webcomponents/dist/Select.js';
import { css, html, LitElement, type TemplateResult } from 'lit';

import { api, ask, type Schemas } from '../api/client.ts';
import { navigate, pathTo } from '../shell/router.ts';
import { t } from '../texts/texts.ts';
import { pageStyles } from './styles.ts';

/** As many as the service evaluates at once. */
const maxConfigurations = 20;

/** Asks what to evaluate, starts it, and goes to its page. */
export class EvaluateDialog extends LitElement {
  static override styles = [
    pageStyles,
    css`
      .form {
        display: grid;
        gap: 0.75rem;
        width: min(28rem, 80vw);
      }
      .form > div {
        display: grid;
        gap: 0.25rem;
      }
      fieldset {
        border: none;
        margin: 0;
        padding: 0;
        display: grid;
      }
      legend {
        color: var(--sapContent_LabelColor);
        padding: 0;
      }
      ui5-select,
      ui5-input {
        width: 100%;
      }
    `,
  ];
  static override properties = {
    sets: { attribute: false },
    isOpen: { state: true },
    names: { state: true },
    picked: { state: true },
    set: { state: true },
    label: { state: true },
    failure: { state: true },
    isBusy: { state: true },
  };
  declare sets: readonly Schemas['QuestionSetSummary'][];
  declare protected isOpen: boolean;
  declare protected names: readonly string[];
  declare protected picked: ReadonlySet<string>;
  declare protected set: string;
  declare protected label: string;
  declare protected failure: string | undefined;
  declare protected isBusy: boolean;

  constructor() {
    super();
    this.sets = [];
    this.isOpen = false;
    this.names = [];
    this.picked = new Set();
    this.set = '';
    this.label = '';
    this.failure = undefined;
    this.isBusy = false;
  }

  /** Opens with a question set chosen; all configurations are ticked, as far as the service takes them. */
  async open(set?: string): Promise<void> {
    const { items } = await ask(
      api.GET('/v1/search-configurations', { params: { query: { limit: 1000 } } }),
    );
    this.names = items.map(({ name }) => name);
    this.picked = new Set(this.names.slice(0, maxConfigurations));
    this.set = set ?? this.sets[0]?.name ?? '';
    this.failure = undefined;
    this.isOpen = true;
  }

  override render(): TemplateResult {
    return html`<ui5-dialog
      header-text=${t('evaluate')}
      ?open=${this.isOpen}
      @close=${() => (this.isOpen = false)}
    >
      <div class="form">
        ${
          this.failure === undefined
            ? ''
            : html`<ui5-message-strip design="Negative" hide-close-button role="alert"
                >${this.failure}</ui5-message-strip
              >`
        }
        <div>
          <ui5-label for="set" show-colon>${t('questionSet')}</ui5-label>
          <ui5-select
            id="set"
            accessible-name=${t('questionSet')}
            @change=${(event: Event) => (this.set = (event.target as Select).value ?? '')}
          >
            ${this.sets.map(
              ({ name }) =>
                html`<ui5-option value=${name} ?selected=${name === this.set}>${name}</ui5-option>`,
            )}
          </ui5-select>
        </div>
        <fieldset>
          <legend>${t('configurations')}</legend>
          ${this.names.map(
            (name) =>
              html`<ui5-checkbox
                text=${name}
                ?checked=${this.picked.has(name)}
                @change=${(event: Event) => this.#pick(name, (event.target as CheckBox).checked)}
              ></ui5-checkbox>`,
          )}
          ${this.names.length === 0 ? html`<p>${t('noConfigurations')}</p>` : ''}
        </fieldset>
        <div>
          <ui5-label for="label" show-colon>${t('label')}</ui5-label>
          <ui5-input
            id="label"
            maxlength="256"
            placeholder=${t('labelHint')}
            @input=${(event: Event) => (this.label = (event.target as Input).value)}
          ></ui5-input>
        </div>
      </div>
      <div slot="footer" class="footer">
        <ui5-button
          design="Emphasized"
          ?disabled=${this.picked.size === 0 || this.isBusy}
          @click=${this.#start}
          >${t('start')}</ui5-button
        >
        <ui5-button design="Transparent" @click=${() => (this.isOpen = false)}
          >${t('cancel')}</ui5-button
        >
      </div>
    </ui5-dialog>`;
  }

  #pick(name: string, isPicked: boolean): void {
    const picked = new Set(this.picked);
    if (isPicked) picked.add(name);
    else picked.delete(name);
    this.picked = picked;
  }

  async #start(): Promise<void> {
    this.isBusy = true;
    try {
      const started = await ask(
        api.POST('/v1/eval', {
          body: {
            questionSet: this.set,
            configurations: this.names.filter((name) => this.picked.has(name)),
            ...(this.label.trim() !== '' && { label: this.label.trim() }),
            intervals: true,
            diagnose: true,
            sliceBy: ['kind', 'process', 'language', 'split'],
          },
        }),
      );
      this.isOpen = false;
      if ('id' in started) navigate(pathTo(['evaluations', started.id]));
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    } finally {
      this.isBusy = false;
    }
  }
}

customElements.define('ge-evaluate-dialog', EvaluateDialog);
