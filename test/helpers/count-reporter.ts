import { writeSync } from 'node:fs';

import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Ends the run with one plain line of counts, which CI reads. It comes after the table of the coverage. */
export default class CountReporter implements Reporter {
  #isWatching = false;
  #line: string | undefined;

  onInit(vitest: Vitest): void {
    this.#isWatching = vitest.config.watch;
    process.once('exit', () => {
      if (this.#line !== undefined && !this.#isWatching) writeSync(1, this.#line);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
    const skipped = tests.flatMap((test) => {
      const result = test.result();
      return result.state === 'skipped' ? [`skipped: ${test.fullName} (${result.note})\n`] : [];
    });
    const line = `${count('passed')} passed, ${count('failed') + broken} failed\n`;
    this.#line = [...skipped, line].join('');
    if (this.#isWatching) process.stdout.write(this.#line);
  }
}
