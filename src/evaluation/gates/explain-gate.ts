import type {
  ConfigurationDecision,
  FloorCheck,
  GateCheck,
  GateSnapshot,
} from '../../model/gate.ts';

/** Says in a plain sentence what a gate found of one configuration, and why. */
export function explainDecision(
  gate: GateSnapshot,
  decision: Omit<ConfigurationDecision, 'detail'>,
): string {
  const { configuration, verdict, obstacles, checks, floors = [], rescoredBaseline } = decision;
  const deciding = checks.filter((check) => check.isCounted && check.verdict === verdict);
  const { missingBaseline } = gate;
  const reasons = [
    ...obstacles.map(({ detail }) => detail),
    ...floors.filter((floor) => floor.verdict === verdict).map(explainFloor),
    ...deciding.map((check) => explainCheck(check, gate.confidence)),
    ...(missingBaseline === undefined
      ? []
      : [`baseline '${missingBaseline}' does not exist yet, which the gate accepts`]),
  ];
  const conclusion = `${conclusions[verdict]}${explainRule(verdict, gate.onInconclusive)}`;
  const rescored =
    rescoredBaseline === undefined
      ? ''
      : ` The baseline was scored with the judgments of version ${rescoredBaseline}, because nothing else changed.`;
  return `${configuration} ${conclusion}: ${someOf(reasons)}.${rescored}`;
}

function explainRule(
  verdict: ConfigurationDecision['verdict'],
  rule: GateSnapshot['onInconclusive'],
): string {
  if (verdict !== 'inconclusive' || rule === undefined || rule === 'report') return '';
  return rule === 'fail' ? ', which this gate counts as failed' : ', which this gate accepts';
}

function explainFloor({ measure, minimum, on, questions, mean, interval }: FloorCheck): string {
  if (mean === null) return `no question has a value of ${measure}`;
  const range = interval
    ? `, with an interval from ${toText(interval.low)} to ${toText(interval.high)}`
    : '';
  const target = on === 'mean' ? 'the mean' : 'the lower end of the interval';
  return `${measure} over ${questions} questions is ${toText(mean)}${range}; ${target} must be at least ${minimum}`;
}

/** The answer has them all; a sentence is for reading. */
function someOf(reasons: readonly string[], most = 4): string {
  const more = reasons.length > most ? [`and ${reasons.length - most} more`] : [];
  return [...reasons.slice(0, most), ...more].join('; ');
}

const conclusions = {
  pass: 'passes',
  inconclusive: 'is inconclusive',
  fail: 'fails',
} as const satisfies Record<ConfigurationDecision['verdict'], string>;

function explainCheck(check: GateCheck, confidence: number): string {
  const where = `${nameCheck(check)} over ${check.questions} questions`;
  const remarks = [...explainFamily(check), ...explainNeed(check), ...explainNotes(check)];
  const remark = remarks.length > 0 ? ` (${remarks.join('; ')})` : '';
  return `${where} ${explainFinding(check, confidence)}${remark}${explainBlindness(check)}`;
}

function explainFinding(check: GateCheck, confidence: number): string {
  const { meanDifference, lowerBound, upperBound, maxDrop, verdict, guarantee } = check;
  if (verdict === 'pass' && check.isIdentical === true && !guarantee) {
    return "did not change: every ranking is identical to the baseline's";
  }
  if (meanDifference === null || lowerBound === null || upperBound === null) {
    return `are too few for a confidence of ${toPercent(confidence)}`;
  }
  const range = explainRange(check, { lowerBound, upperBound, confidence });
  return `changed by ${toText(meanDifference)}${range}; the accepted drop is ${maxDrop}`;
}

/** Which bounds the data carry: none for so few questions, the upper one where the lower needs more of them. */
function explainRange(
  check: GateCheck,
  {
    lowerBound,
    upperBound,
    confidence,
  }: { readonly lowerBound: number; readonly upperBound: number; readonly confidence: number },
): string {
  const sure = `${toPercent(confidence)} confidence`;
  if (check.guarantee) {
    const guaranteed = `whatever the distribution is, with ${sure} not below ${toText(check.guarantee.lowerBound)}`;
    return check.verdict === 'fail'
      ? `, with ${sure} not above ${toText(upperBound)}`
      : `, ${guaranteed}`;
  }
  if (check.isTooFew) return '';
  return isShort(check)
    ? `, with ${sure} not above ${toText(upperBound)}`
    : `, with ${sure} each not below ${toText(lowerBound)} and not above ${toText(upperBound)}`;
}

function isShort({ questions, questionsNeeded }: GateCheck): boolean {
  return questionsNeeded === null || questions < (questionsNeeded ?? 0);
}

function explainFamily({ verdict, upperBound, maxDrop }: GateCheck): readonly string[] {
  const isUnconfirmed = verdict === 'inconclusive' && upperBound !== null && upperBound < -maxDrop;
  return isUnconfirmed
    ? ['a larger drop is not confirmed after correction for the number of checks']
    : [];
}

/** What it takes to pass, where the questions are too few for it. */
function explainNeed(check: GateCheck): readonly string[] {
  const { verdict, strength, questionsNeeded } = check;
  if (verdict !== 'inconclusive' || questionsNeeded === undefined || !isShort(check)) return [];
  if (questionsNeeded === null) {
    return ['without an accepted drop, no such method can pass without gains'];
  }
  return strength === 'guaranteed'
    ? [
        `no method that holds for every distribution can pass below ${questionsNeeded} questions unless some improved`,
      ]
    : [`too few to pass: requires ${questionsNeeded} questions, or identical rankings throughout`];
}

/** The smaller a slice, the less a sentence can say of it; its notes are in the answer. */
function explainNotes({ slice, notes }: GateCheck): readonly string[] {
  return slice ? [] : notes;
}

/** Of a check that did not fail: what no bound can know. */
function explainBlindness({ verdict, blindTo, questions }: GateCheck): string {
  if (blindTo === undefined || verdict === 'fail') return '';
  return `; with these ${questions} questions, a total loss on up to ${toRoughPercent(blindTo)} of questions would go unseen`;
}

/** A minimum by its measure. */
export function nameFloor({ measure, minimum, on }: FloorCheck): string {
  return `${on === 'mean' ? 'mean' : 'lower end'} of ${measure} at least ${minimum}`;
}

/** A check by its measure and slice. */
export function nameCheck({ measure, slice }: Pick<GateCheck, 'measure' | 'slice'>): string {
  return slice ? `${measure} of ${slice.dimension} ${slice.value}` : measure;
}

function toText(value: number): string {
  return value.toFixed(4);
}

function toPercent(share: number): string {
  return `${Number((100 * share).toPrecision(6))} %`;
}

function toRoughPercent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}
