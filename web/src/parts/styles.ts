import { css } from 'lit';

/** What all pages share: layout, tables, links. Colours come from the theme alone. */
export const pageStyles = css`
  :host {
    display: block;
  }
  * {
    box-sizing: border-box;
  }
  h1,
  h2,
  h3 {
    margin: 0;
    font-family: '72', Arial, sans-serif;
    color: var(--sapTitleColor);
  }
  h1 {
    font-size: 1.5rem;
    line-height: 1.3;
  }
  h1:focus {
    outline: none;
  }
  h2 {
    font-size: 1.15rem;
  }
  h3 {
    font-size: 1rem;
  }
  p {
    margin: 0;
  }
  a {
    color: var(--sapLinkColor);
  }
  a:focus-visible,
  summary:focus-visible,
  button:focus-visible,
  [tabindex]:focus-visible {
    outline: 2px solid var(--sapContent_FocusColor);
    outline-offset: 2px;
  }
  .page {
    display: grid;
    gap: 1rem;
    grid-template-columns: minmax(0, 1fr);
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: flex-start;
    justify-content: space-between;
  }
  .head > :first-child {
    min-width: 0;
    flex: 1 1 16rem;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
  }
  .quiet {
    color: var(--sapContent_LabelColor);
  }
  .card {
    background: var(--sapGroup_ContentBackground);
    border: 1px solid var(--sapGroup_ContentBorderColor);
    border-radius: 0.75rem;
    padding: 1rem;
    display: grid;
    gap: 0.75rem;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
  }
  .columns {
    display: grid;
    gap: 1rem;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
  }
  .scroll {
    overflow-x: auto;
    margin: 0 -1rem;
    padding: 0 1rem;
  }
  table {
    border-collapse: collapse;
    width: 100%;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    text-align: start;
    padding: 0.5rem 0.75rem;
    border-bottom: 1px solid var(--sapList_BorderColor);
    vertical-align: top;
  }
  thead th {
    color: var(--sapList_HeaderTextColor);
    border-bottom: 1px solid var(--sapList_HeaderBorderColor);
    vertical-align: bottom;
    white-space: nowrap;
  }
  tbody th {
    font-weight: 700;
    color: var(--sapList_TextColor);
  }
  tbody tr:hover > * {
    background: var(--sapList_Hover_Background);
  }
  .number {
    text-align: end;
    white-space: nowrap;
  }
  .sticky {
    position: sticky;
    inset-inline-start: -1rem;
    background: var(--sapGroup_ContentBackground);
    z-index: 1;
  }
  .sort {
    font: inherit;
    font-weight: 700;
    color: inherit;
    background: none;
    border: none;
    padding: 0;
    cursor: pointer;
    text-align: inherit;
  }
  .good {
    color: var(--sapPositiveTextColor);
  }
  .bad {
    color: var(--sapNegativeTextColor);
  }
  .critical {
    color: var(--sapCriticalTextColor);
  }
  ul.plain {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: 0.5rem;
  }
  dl.facts {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.25rem 1rem;
    margin: 0;
  }
  dl.facts dt {
    color: var(--sapContent_LabelColor);
  }
  dl.facts dd {
    margin: 0;
  }
  /* The buttons at the end of a dialog. */
  .footer {
    display: flex;
    justify-content: flex-end;
    gap: 0.5rem;
    width: 100%;
    padding: 0.25rem 0;
  }
  details > summary {
    cursor: pointer;
    font-weight: 700;
    color: var(--sapTitleColor);
  }
  pre {
    white-space: pre-wrap;
    margin: 0.5rem 0 0;
    font-family: '72Mono', ui-monospace, monospace;
    font-size: 0.85rem;
  }
`;
