import { z } from 'zod';

import { tryParseJson } from '../../try-parse-json.ts';

/** What this process is called in alerts. */
export interface Application {
  readonly name: string;
  readonly environment: string;
  readonly instance: string;
}

/** A process that no platform gave a name. */
export const ownApplication: Application = {
  name: 'grounding-eval',
  environment: 'local',
  instance: '0',
};

const Vcap = z.object({ application_name: z.string().min(1), space_name: z.string().min(1) });

/** The name that Cloud Foundry gave the process, else its own. */
export function readApplication(
  environment: Readonly<Record<string, string | undefined>>,
): Application {
  const { VCAP_APPLICATION: text = '', CF_INSTANCE_INDEX: instance } = environment;
  const given = Vcap.safeParse(tryParseJson(text)).data;
  return {
    name: given?.application_name ?? ownApplication.name,
    environment: given?.space_name ?? ownApplication.environment,
    instance: instance ?? ownApplication.instance,
  };
}
