/** What a lock of npm says of one package. */
interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  /** Refers to a package in a folder of this project, which has an entry of its own. */
  readonly link?: boolean;
  readonly optional?: boolean;
}

export interface Lock {
  readonly name: string;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export interface LicenceReport {
  /** How many packages of production each licence is of, most first. */
  readonly counts: readonly (readonly [licence: string, packages: number])[];
  readonly refused: readonly { readonly path: string; readonly licence: string }[];
}

/** Those that ask for no more than to be named, in the words of SPDX. Where there is a choice, one of them is taken. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND BSL-1.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '(BSD-3-Clause OR GPL-2.0)',
  'ISC',
  'MIT',
  '(MIT OR CC0-1.0)',
]);

/** SAP's own: free to use with SAP BTP, which this service is made for. */
const allowedOfSap: ReadonlyMap<string, string> = new Map([
  ['node_modules/@sap/xsenv', 'SEE LICENSE IN LICENSE'],
  ['node_modules/@sap/xssec', 'SAP DEVELOPER LICENSE AGREEMENT'],
]);

/** Asks for the source of its own files where they were changed, which they are not here. */
const allowedUnchanged: ReadonlyMap<string, string> = new Map([
  ['node_modules/@jmespath-community/jmespath', 'MPL-2.0'],
]);

/** Looks at what a production install brings; what is for development alone is not passed on to anybody. */
export function checkLicences({ packages }: Lock): LicenceReport {
  const installed = Object.entries(packages)
    .filter(([path, { dev = false, link = false }]) => path !== '' && !dev && !link)
    .map(([path, { license = 'none' }]) => ({ path, licence: license }));
  const counts = new Map<string, number>();
  for (const { licence } of installed) counts.set(licence, (counts.get(licence) ?? 0) + 1);
  return {
    counts: [...counts].toSorted(([, a], [, b]) => b - a),
    refused: installed.filter(
      ({ path, licence }) =>
        !allowed.has(licence) &&
        allowedOfSap.get(path) !== licence &&
        allowedUnchanged.get(path) !== licence,
    ),
  };
}
