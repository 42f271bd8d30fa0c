import { de } from './de.ts';
import { en } from './en.ts';

export type TextKey = keyof typeof en;
export type Language = 'en' | 'de';

const catalogues: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en, de };
const storageKey = 'grounding-eval.language';

export const language: Language = findLanguage();

function findLanguage(): Language {
  const wanted = [localStorage.getItem(storageKey), ...navigator.languages];
  const known = wanted.flatMap((tag): Language[] => {
    const [primary = ''] = (tag ?? '').split('-');
    return primary === 'de' || primary === 'en' ? [primary] : [];
  });
  return known[0] ?? 'en';
}

/** Takes effect when the page is loaded again. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(storageKey, chosen);
  location.reload();
}

/** The text of a key in the reader's language, with `{name}` replaced. */
export function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return catalogues[language][key].replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? formatCount(value) : (value ?? '');
  });
}

const count = new Intl.NumberFormat(language);
const mean = new Intl.NumberFormat(language, {
  minimumFractionDigits: 3,
  maximumFractionDigits: 3,
});
const signed = new Intl.NumberFormat(language, {
  minimumFractionDigits: 3,
  maximumFractionDigits: 3,
  signDisplay: 'exceptZero',
});
const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const milliseconds = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });

export const none = '–';

export function formatCount(value: number): string {
  return count.format(value);
}

/** Rounded for reading; the answer has the full precision. */
export function formatValue(value: number | null | undefined): string {
  return value === null || value === undefined ? none : mean.format(value);
}

export function formatDifference(value: number | null | undefined): string {
  return value === null || value === undefined ? none : signed.format(value);
}

/** A p value is never 0. */
export function formatP(value: number | null): string {
  if (value === null) return none;
  return value < 0.001 ? `< ${mean.format(0.001)}` : mean.format(value);
}

export function formatShare(value: number | null | undefined): string {
  return value === null || value === undefined ? none : percent.format(value);
}

export function formatTime(timestamp: string | null | undefined): string {
  return timestamp ? time.format(new Date(timestamp)) : none;
}

export function formatMs(value: number | null | undefined): string {
  if (value === null || value === undefined) return none;
  return value < 1 ? '< 1 ms' : `${milliseconds.format(value)} ms`;
}
