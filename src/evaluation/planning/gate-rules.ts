import { parseOneMeasure } from '../measures/resolve-measures.ts';
import type { CheckRequest, Floor, GateRequest } from '../../model/gate.ts';

/** What a gate asks for, by canonical names, each measure once in each list. */
export interface GateRules {
  readonly drops: readonly { readonly measure: string; readonly maxDrop: number }[];
  readonly floors: readonly Floor[];
}

/** Brings the ways to write a gate into one form. Refuses unknown measures; of two rules for one measure the later counts. */
export function readGateRules(gate: GateRequest): GateRules {
  const drops = new Map<string, number>();
  const floors = new Map<string, Floor>();
  for (const { rule, pointer } of listRules(gate)) {
    const measure = parseOneMeasure(rule.measure, pointer).name;
    if ('maxDrop' in rule) drops.set(measure, rule.maxDrop);
    else floors.set(measure, { measure, minimum: rule.minimum, on: rule.on });
  }
  return {
    drops: [...drops].map(([measure, maxDrop]) => ({ measure, maxDrop })),
    floors: [...floors.values()],
  };
}

function listRules({ checks, measure, measures, maxDrop, minimum, on = 'interval' }: GateRequest) {
  if (checks) {
    return checks.map((rule, index) => ({ rule, pointer: `/body/gate/checks/${index}/measure` }));
  }
  const names = measures ?? [measure ?? ''];
  return names.map((name, index) => {
    const rule: CheckRequest =
      minimum === undefined
        ? { measure: name, maxDrop: maxDrop ?? 0 }
        : { measure: name, minimum, on };
    return { rule, pointer: `/body/gate/measure${measures ? `s/${index}` : ''}` };
  });
}
