import packageJson from '../../package.json' with { type: 'json' };

/** The version of this service, as an evaluation remembers it. */
export const serviceVersion: string = packageJson.version;
