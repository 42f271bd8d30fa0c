import type { CommandContext, CommandEnd } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { inRunFile } from '../run-file/in-run-file.ts';
import { loadRunFile } from '../run-file/load-run-file.ts';
import { prepareRequest } from '../run-file/prepare-request.ts';
import { withService } from '../service/open-service.ts';

/** Checks a file and every file that it names, in this process. Nothing is searched. */
export async function validate(
  path: string | undefined,
  { output, signal }: CommandContext,
): CommandEnd {
  const loaded = await loadRunFile(path);
  await withService({ options: {}, signal }, (service) =>
    inRunFile(loaded, async () => {
      const json = await prepareRequest(service, loaded, {});
      await service.call({ method: 'POST', path: '/v1/eval?dryRun=true', body: { json } });
    }),
  );
  output.note(`${path ?? 'grounding-eval.yaml'} is valid`);
  return exitCodes.done;
}
