import { z } from 'zod';

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
  const given = Vcap.safeParse(parseJson(text)).data;
  return {
    name: given?.application_name ?? ownApplication.name,
    environment: given?.space_name ?? ownApplication.environment,
    instance: instance ?? ownApplication.instance,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
