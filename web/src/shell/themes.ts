import { registerI18nLoader } from '@ui5/webcomponents-base/dist/asset-registries/i18n.js';
import { registerThemePropertiesLoader } from '@ui5/webcomponents-base/dist/asset-registries/Themes.js';
import { setTheme } from '@ui5/webcomponents-base/dist/config/Theme.js';

// Registered by hand: the packages' own lists bring ten themes and forty languages, and calendars for each.

type ThemeFile = Promise<{ readonly default: string }>;

const themeLoaders: Readonly<Record<string, Readonly<Record<string, () => ThemeFile>>>> = {
  sap_horizon: {
    '@ui5/webcomponents-theming': () =>
      import('@ui5/webcomponents-theming/dist/generated/assets/themes/sap_horizon/parameters-bundle.css.json'),
    '@ui5/webcomponents': () =>
      import('@ui5/webcomponents/dist/generated/assets/themes/sap_horizon/parameters-bundle.css.json'),
    '@ui5/webcomponents-fiori': () =>
      import('@ui5/webcomponents-fiori/dist/generated/assets/themes/sap_horizon/parameters-bundle.css.json'),
  },
  sap_horizon_dark: {
    '@ui5/webcomponents-theming': () =>
      import('@ui5/webcomponents-theming/dist/generated/assets/themes/sap_horizon_dark/parameters-bundle.css.json'),
    '@ui5/webcomponents': () =>
      import('@ui5/webcomponents/dist/generated/assets/themes/sap_horizon_dark/parameters-bundle.css.json'),
    '@ui5/webcomponents-fiori': () =>
      import('@ui5/webcomponents-fiori/dist/generated/assets/themes/sap_horizon_dark/parameters-bundle.css.json'),
  },
  sap_horizon_hcb: {
    '@ui5/webcomponents-theming': () =>
      import('@ui5/webcomponents-theming/dist/generated/assets/themes/sap_horizon_hcb/parameters-bundle.css.json'),
    '@ui5/webcomponents': () =>
      import('@ui5/webcomponents/dist/generated/assets/themes/sap_horizon_hcb/parameters-bundle.css.json'),
    '@ui5/webcomponents-fiori': () =>
      import('@ui5/webcomponents-fiori/dist/generated/assets/themes/sap_horizon_hcb/parameters-bundle.css.json'),
  },
  sap_horizon_hcw: {
    '@ui5/webcomponents-theming': () =>
      import('@ui5/webcomponents-theming/dist/generated/assets/themes/sap_horizon_hcw/parameters-bundle.css.json'),
    '@ui5/webcomponents': () =>
      import('@ui5/webcomponents/dist/generated/assets/themes/sap_horizon_hcw/parameters-bundle.css.json'),
    '@ui5/webcomponents-fiori': () =>
      import('@ui5/webcomponents-fiori/dist/generated/assets/themes/sap_horizon_hcw/parameters-bundle.css.json'),
  },
};

for (const [theme, packages] of Object.entries(themeLoaders)) {
  for (const [name, load] of Object.entries(packages)) {
    registerThemePropertiesLoader(name, theme, async () => (await load()).default);
  }
}

for (const [name, language, load] of [
  [
    '@ui5/webcomponents',
    'en',
    () => import('@ui5/webcomponents/dist/generated/assets/i18n/messagebundle_en.json'),
  ],
  [
    '@ui5/webcomponents',
    'de',
    () => import('@ui5/webcomponents/dist/generated/assets/i18n/messagebundle_de.json'),
  ],
  [
    '@ui5/webcomponents-fiori',
    'en',
    () => import('@ui5/webcomponents-fiori/dist/generated/assets/i18n/messagebundle_en.json'),
  ],
  [
    '@ui5/webcomponents-fiori',
    'de',
    () => import('@ui5/webcomponents-fiori/dist/generated/assets/i18n/messagebundle_de.json'),
  ],
  [
    '@ui5/webcomponents-icons',
    'en',
    () => import('@ui5/webcomponents-icons/dist/generated/assets/i18n/messagebundle_en.json'),
  ],
  [
    '@ui5/webcomponents-icons',
    'de',
    () => import('@ui5/webcomponents-icons/dist/generated/assets/i18n/messagebundle_de.json'),
  ],
] as const) {
  registerI18nLoader(name, language, async () => (await load()).default);
}

export const themes = ['system', 'light', 'dark', 'hcb', 'hcw'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'grounding-eval.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const contrast = matchMedia('(prefers-contrast: more)');

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export async function chooseTheme(theme: Theme): Promise<void> {
  localStorage.setItem(storageKey, theme);
  await applyTheme();
}

/** Follows the system until somebody chooses a theme. */
export async function startThemes(): Promise<void> {
  for (const query of [dark, contrast]) query.addEventListener('change', () => void applyTheme());
  await applyTheme();
}

async function applyTheme(): Promise<void> {
  const chosen = chosenTheme();
  const theme = chosen === 'system' ? systemTheme() : chosen;
  document.documentElement.dataset['theme'] = theme;
  await setTheme(theme === 'light' ? 'sap_horizon' : `sap_horizon_${theme}`);
}

function systemTheme(): Exclude<Theme, 'system'> {
  if (contrast.matches) return dark.matches ? 'hcb' : 'hcw';
  return dark.matches ? 'dark' : 'light';
}
