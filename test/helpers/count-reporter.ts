import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run with one plain line of counts, which CI reads. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
    const line = `${count('passed')} passed, ${count('failed') + broken} failed`;
    const skipped = count('skipped');
    process.stdout.write(`${line}${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  }
}
