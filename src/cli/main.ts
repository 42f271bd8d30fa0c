#!/usr/bin/env node
import '../node-guard.cjs';

import { enableCompileCache } from 'node:module';

// Before anything else is loaded, so that the next start finds it compiled.
enableCompileCache();
await import('./start-program.ts');
