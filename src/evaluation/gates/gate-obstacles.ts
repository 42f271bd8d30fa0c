import {
  compareSubjects,
  type MeasuredSubject,
  type SubjectComparison,
} from './compare-subjects.ts';
import type { BaselineRun } from './read-baseline.ts';
import { nameSome } from '../../model/warnings.ts';
import type {
  GateSnapshot,
  ConfigurationDecision,
  GateObstacle,
  Shares,
} from '../../model/gate.ts';

/**
 * Why two runs cannot be compared at all. Imported rankings are the answer under test, so that
 * other ones are no changed input.
 */
export function incomparable(
  gate: GateSnapshot,
  baseline: BaselineRun | 'gone',
  candidate: MeasuredSubject,
): readonly GateObstacle[] {
  if (baseline === 'gone') {
    const detail = 'the evaluation that the baseline referred to was deleted';
    return [{ code: 'baseline-gone', verdict: 'inconclusive', detail }];
  }
  const { questionSet, input } = compareSubjects(baseline, candidate);
  const obstacles: GateObstacle[] = [];
  if (!questionSet.isSame && baseline.rescoredTo === undefined) {
    const detail = `the baseline was measured on ${nameVersion(questionSet.baseline)}, this evaluation on ${nameVersion(questionSet.evaluation)}, with different questions or judgments`;
    obstacles.push({ code: 'question-set-changed', verdict: 'inconclusive', detail });
  }
  const isAccepted = gate.acceptInputChange === true || gate.baseline?.evaluation === null;
  const isCorpus = input.baseline?.kind === 'corpus' && input.evaluation?.kind === 'corpus';
  if (isCorpus && !isAccepted && input.baseline.contentHash !== input.evaluation.contentHash) {
    const detail = `the content of corpus '${input.evaluation.name}' differs from what the baseline searched`;
    obstacles.push({ code: 'input-changed', verdict: 'inconclusive', detail });
  }
  return obstacles;
}

/**
 * Runs of which no returned document is judged. Their zeros come from ids that do not match or from a search that
 * returned nothing, so that a difference from them is no loss of quality.
 */
export function findUnmatched(isUnmatched: {
  readonly baseline: boolean;
  readonly candidate: boolean;
}): readonly GateObstacle[] {
  const code = 'no-judged-document-returned';
  const obstacles: GateObstacle[] = [];
  if (isUnmatched.candidate) {
    const detail =
      'no returned document is judged, so the measures say nothing about the search (the warnings of the evaluation name the cause)';
    obstacles.push({ code, verdict: 'inconclusive', detail });
  }
  if (isUnmatched.baseline) {
    const detail = "no document that the baseline's search returned is judged";
    obstacles.push({ code, verdict: 'inconclusive', detail });
  }
  return obstacles;
}

/** Which of the gate's limits two comparable runs do not keep. */
export function findObstacles(
  gate: GateSnapshot,
  {
    failedShare,
    fallbackShare,
    judged,
    unknown,
  }: {
    readonly failedShare: Shares;
    readonly fallbackShare: Shares;
    readonly judged: ConfigurationDecision['judged'];
    /** Questions that the baseline was not asked. */
    readonly unknown: readonly string[];
  },
): readonly GateObstacle[] {
  const { allowedFailedShare: allowed, minJudged } = gate;
  const obstacles: GateObstacle[] = [];
  if (unknown.length > 0) {
    const detail = `the baseline lacks ${nameSome(unknown)}`;
    obstacles.push({ code: 'other-questions', verdict: 'inconclusive', detail });
  }
  if (failedShare.candidate > allowed) {
    const detail = `${toPercent(failedShare.candidate)} of the searches failed; ${toPercent(allowed)} is allowed`;
    obstacles.push({ code: 'failures', verdict: 'fail', detail });
  }
  if (failedShare.baseline !== null && failedShare.baseline > allowed) {
    const detail = `${toPercent(failedShare.baseline)} of the baseline's searches failed; ${toPercent(allowed)} is allowed`;
    obstacles.push({ code: 'baseline-failures', verdict: 'inconclusive', detail });
  }
  obstacles.push(...findFallbacks(fallbackShare, gate.allowedFallbackShare ?? 0));
  const shares = gate.baseline ? [judged?.baseline, judged?.candidate] : [judged?.candidate];
  const lowest = Math.min(...shares.map((share) => share ?? 0));
  if (minJudged && lowest < minJudged.value) {
    const detail = `${minJudged.measure} is ${lowest.toFixed(4)}; at least ${minJudged.value} is required: judge the pool first`;
    obstacles.push({ code: 'low-judged', verdict: 'inconclusive', detail });
  }
  return obstacles;
}

/** A pipeline of which stages were left out is not the one that the gate is about. */
function findFallbacks(share: Shares, allowed: number): readonly GateObstacle[] {
  const obstacles: GateObstacle[] = [];
  if (share.candidate > allowed) {
    const detail = `a stage of the pipeline was skipped for ${toPercent(share.candidate)} of the questions; ${toPercent(allowed)} is allowed`;
    obstacles.push({ code: 'fallbacks', verdict: 'fail', detail });
  }
  if (share.baseline !== null && share.baseline > allowed) {
    const detail = `a stage of the baseline's pipeline was skipped for ${toPercent(share.baseline)} of the questions; ${toPercent(allowed)} is allowed`;
    obstacles.push({ code: 'baseline-fallbacks', verdict: 'inconclusive', detail });
  }
  return obstacles;
}

function nameVersion({
  name,
  version,
  contentHash,
}: SubjectComparison['questionSet']['baseline']): string {
  return `'${name}' version ${version} (content ${contentHash.slice(0, 12)})`;
}

function toPercent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
