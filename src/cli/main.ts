#!/usr/bin/env node
import '../node-guard.cjs';

// Not by name: an old Node.js without it would fail before the guard says what is needed.
import nodeModule from 'node:module';

// Before anything else is loaded, so that the next start finds it compiled.
nodeModule.enableCompileCache();
await import('./start-program.ts');
