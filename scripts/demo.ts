import { runMethodDemo } from './demo/methods.ts';
import { runPipelineDemo } from './demo/pipelines.ts';
import { print, runForReader } from './demo/print.ts';
import { prepareAiCoreStage, prepareLocalStage } from './demo/stage.ts';

await runForReader(async () => {
  const startedAt = performance.now();
  if (process.argv.includes('--pipelines')) {
    await runPipelineDemo();
  } else {
    await using stage = await (process.argv.includes('--aicore')
      ? prepareAiCoreStage()
      : prepareLocalStage());
    await runMethodDemo(stage);
  }
  print(`Done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
});
