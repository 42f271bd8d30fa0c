import { z } from 'zod';

import { findCredentials } from './service-bindings.ts';
import type { XsuaaBinding } from '../http/access/xsuaa-binding.ts';

const Text = z.string().min(1);

const XsuaaCredentials = z.object({
  clientid: Text,
  xsappname: Text,
  /** Where the keys are that tokens are signed with. */
  uaadomain: Text,
  tenantmode: z.enum(['dedicated', 'shared']).default('dedicated'),
  zoneid: Text.optional(),
  identityzoneid: Text.optional(),
  tenantid: Text.optional(),
});

/** The XSUAA of VCAP_SERVICES, if it is bound. Throws a TypeError that repeats no value. */
export function findXsuaa(services: string | undefined): XsuaaBinding | undefined {
  const found = findCredentials(services, 'xsuaa', XsuaaCredentials);
  if (!found) return undefined;
  const { clientid: clientId, xsappname: appName, uaadomain: domain } = found;
  const zone = found.zoneid ?? found.identityzoneid ?? found.tenantid;
  const about = { clientId, appName, domain, providerZone: zone };
  if (found.tenantmode === 'shared') return { ...about, onlyZone: undefined };
  if (zone === undefined) {
    throw new TypeError('the binding of xsuaa: zoneid is missing, and tenantmode is dedicated');
  }
  return { ...about, onlyZone: zone };
}
