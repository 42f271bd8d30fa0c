import type { Lock } from './licences.ts';

/** What npm writes of a CycloneDX bill of materials, as far as it is looked at here. */
export interface Bom {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly 'bom-ref': string;
  }[];
  readonly dependencies: readonly {
    readonly ref: string;
    readonly dependsOn?: readonly string[];
  }[];
}

/**
 * The part of a bill that production installs, by the lock. npm's own `--omit dev` leaves out as well what
 * production and development share, and its marks know one place of a package that has several. What it
 * names the product after is the folder.
 */
export function keepProduction(bom: Bom, lock: Lock): Bom {
  const installed = new Set(listProduction(lock));
  const components = bom.components.filter(({ name, version }) =>
    installed.has(`${name}@${version}`),
  );
  const kept = new Set(components.map((component) => component['bom-ref']));
  const left = new Set(
    bom.components.map((component) => component['bom-ref']).filter((ref) => !kept.has(ref)),
  );
  const dependencies = bom.dependencies
    .filter(({ ref }) => !left.has(ref))
    .map(({ dependsOn = [], ...rest }) => {
      return { ...rest, dependsOn: dependsOn.filter((ref) => !left.has(ref)) };
    });
  const component = { ...bom.metadata.component, name: lock.name };
  return { ...bom, metadata: { ...bom.metadata, component }, components, dependencies };
}

function listProduction({ packages }: Lock): readonly string[] {
  return Object.entries(packages)
    .filter(([path, { dev = false, link = false }]) => path !== '' && !dev && !link)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
}
