import '@ui5/webcomponents/dist/Label.js';
import '@ui5/webcomponents/dist/Option.js';
import '@ui5/webcomponents/dist/Select.js';
import type Select from '@ui5/webcomponents/dist/Select.js';
import { html, type TemplateResult } from 'lit';

export interface Choice {
  readonly id: string;
  readonly text: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly change: (value: string) => void;
}

/** A labelled choice of one from a few. */
export function pick({ id, text, value, options, change }: Choice): TemplateResult {
  return html`<div>
    <ui5-label for=${id}>${text}</ui5-label>
    <ui5-select
      id=${id}
      accessible-name=${text}
      @change=${(event: Event) => change((event.target as Select).value ?? '')}
    >
      ${options.map(
        ([each, shown]) =>
          html`<ui5-option value=${each} ?selected=${each === value}>${shown}</ui5-option>`,
      )}
    </ui5-select>
  </div>`;
}
