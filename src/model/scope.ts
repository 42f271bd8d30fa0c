/** What a token may allow, as xs-security.json declares it. */
export const scopes = [
  'Read',
  'Submit',
  'Evaluate',
  'Label',
  'Admin',
  'JOBSCHEDULER',
  'Operate',
] as const;
export type Scope = (typeof scopes)[number];
