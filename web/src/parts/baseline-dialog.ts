import '@ui5/webcomponents/dist/Button.js';
import '@ui5/webcomponents/dist/Dialog.js';
import '@ui5/webcomponents/dist/Input.js';
import '@ui5/webcomponents/dist/Label.js';
import '@ui5/webcomponents/dist/MessageStrip.js';
import '@ui5/webcomponents/dist/Option.js';
import '@ui5/webcomponents/dist/Select.js';
import type Input from '@ui5/webcomponents/dist/Input.js';
import type Select from '@ui5/webcomponents/dist/Select.js';
import { css, html, LitElement, type TemplateResult } from 'lit';

import { api, ask } from '../api/client.ts';
import { t } from '../texts/texts.ts';
import { pageStyles } from './styles.ts';

/** Gives a configuration of an evaluation a name that later evaluations are compared with. */
export class BaselineDialog extends LitElement {
  static override styles = [
    pageStyles,
    css`
      .form,
      .form > div {
        display: grid;
        gap: 0.5rem;
      }
      .form {
        width: min(24rem, 80vw);
      }
      ui5-select,
      ui5-input {
        width: 100%;
      }
    `,
  ];
  static override properties = {
    evaluation: { attribute: false },
    configurations: { attribute: false },
    isOpen: { state: true },
    name: { state: true },
    configuration: { state: true },
    failure: { state: true },
  };
  declare evaluation: string;
  declare configurations: readonly string[];
  declare protected isOpen: boolean;
  declare protected name: string;
  declare protected configuration: string;
  declare protected failure: string | undefined;

  constructor() {
    super();
    this.evaluation = '';
    this.configurations = [];
    this.isOpen = false;
    this.name = 'main';
    this.configuration = '';
    this.failure = undefined;
  }

  open(): void {
    this.configuration = this.configurations[0] ?? '';
    this.failure = undefined;
    this.isOpen = true;
  }

  override render(): TemplateResult {
    return html`<ui5-dialog
      header-text=${t('putBaseline')}
      ?open=${this.isOpen}
      @close=${() => (this.isOpen = false)}
    >
      <div class="form">
        <p>${t('baselineDetail')}</p>
        ${
          this.failure === undefined
            ? ''
            : html`<ui5-message-strip design="Negative" hide-close-button role="alert"
                >${this.failure}</ui5-message-strip
              >`
        }
        <div>
          <ui5-label for="configuration" show-colon>${t('configuration')}</ui5-label>
          <ui5-select
            id="configuration"
            accessible-name=${t('configuration')}
            @change=${(event: Event) => (this.configuration = (event.target as Select).value ?? '')}
          >
            ${this.configurations.map(
              (name) =>
                html`<ui5-option value=${name} ?selected=${name === this.configuration}
                  >${name}</ui5-option
                >`,
            )}
          </ui5-select>
        </div>
        <div>
          <ui5-label for="name" show-colon required>${t('name')}</ui5-label>
          <ui5-input
            id="name"
            maxlength="64"
            value=${this.name}
            @input=${(event: Event) => (this.name = (event.target as Input).value)}
          ></ui5-input>
        </div>
      </div>
      <div slot="footer" class="footer">
        <ui5-button design="Emphasized" @click=${this.#save}>${t('save')}</ui5-button>
        <ui5-button design="Transparent" @click=${() => (this.isOpen = false)}
          >${t('cancel')}</ui5-button
        >
      </div>
    </ui5-dialog>`;
  }

  async #save(): Promise<void> {
    const { evaluation, configuration, name } = this;
    try {
      await ask(
        api.PUT('/v1/baselines/{name}', {
          params: { path: { name: name.trim() } },
          body: { evaluation, configuration },
        }),
      );
      this.isOpen = false;
      this.dispatchEvent(new CustomEvent('saved', { detail: name.trim() }));
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error);
    }
  }
}

customElements.define('ge-baseline-dialog', BaselineDialog);
