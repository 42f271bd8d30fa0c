import './shell/base.css';
import { setLanguage } from '@ui5/webcomponents-base/dist/config/Language.js';

import { startThemes } from './shell/themes.ts';
import { language } from './texts/texts.ts';

document.documentElement.lang = language;
await Promise.all([setLanguage(language), startThemes()]);
await import('./shell/app.ts');
