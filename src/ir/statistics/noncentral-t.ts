import betainc from '@stdlib/math-base-special-betainc';
import gammaln from '@stdlib/math-base-special-gammaln';
import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import tCdf from '@stdlib/stats-base-dists-t-cdf';

/**
 * The sum has about 14 |δ| terms. A larger δ is scaled down together with t: T / δ no longer depends on it,
 * but for a part of its variance that is 1e-8 here and less beyond.
 */
const maxNoncentrality = 10_000;

/** Weights below this add nothing to a sum near 1. */
const negligible = 1e-20;

interface Series {
  /** First parameter of the beta at the series' start: ½ for the even terms, 1 for the odd. */
  readonly firstShape: number;
  /** δ² / 2. */
  readonly rate: number;
  /** t² / (ν + t²), and one minus it. */
  readonly x: number;
  readonly complement: number;
  /** ν / 2. */
  readonly shape: number;
}

/** One term of a series: its Poisson weight, its beta probability and the step to the next one. */
interface Term {
  readonly index: number;
  readonly weight: number;
  readonly probability: number;
  readonly step: number;
}

/**
 * P(T ≤ t) of the noncentral t distribution, to about 1e-10: the series of Lenth (Applied Statistics
 * AS 243, 1989), summed outwards from its largest weight (Benton and Krishnamoorthy 2003), as from
 * its start the weights underflow for a large noncentrality.
 */
export function noncentralTCdf(t: number, degrees: number, noncentrality: number): number {
  if (t < 0) return 1 - noncentralTCdf(-t, degrees, -noncentrality);
  if (noncentrality ** 2 / 2 === 0) return tCdf(t, degrees);
  const size = Math.abs(noncentrality);
  if (size > maxNoncentrality) {
    const scale = maxNoncentrality / size;
    return noncentralTCdf(t * scale, degrees, Math.sign(noncentrality) * maxNoncentrality);
  }
  const x = t ** 2 / (degrees + t ** 2);
  // Also for a t so small that its square is 0.
  if (x === 0) return normalCdf(-noncentrality, 0, 1);
  const common = {
    rate: noncentrality ** 2 / 2,
    x,
    complement: degrees / (degrees + t ** 2),
    shape: degrees / 2,
  };
  const even = sumSeries({ ...common, firstShape: 0.5 });
  const odd = sumSeries({ ...common, firstShape: 1 });
  const sum = (even + Math.sign(noncentrality) * odd) / 2;
  return Math.min(1, Math.max(0, normalCdf(-noncentrality, 0, 1) + sum));
}

function sumSeries(series: Series): number {
  const largest = maxTerm(series);
  let sum = largest.weight * largest.probability;
  for (let term = termAfter(largest, series); isWorthAdding(term); term = termAfter(term, series)) {
    sum += term.weight * term.probability;
  }
  let term = largest;
  while (term.index > 0 && term.weight > negligible) {
    term = termBefore(term, series);
    sum += term.weight * term.probability;
  }
  return sum;
}

function isWorthAdding({ weight, probability }: Term): boolean {
  return weight > negligible && probability > 0;
}

function maxTerm({ firstShape, rate, x, complement, shape }: Series): Term {
  const index = Math.floor(rate);
  const order = index + firstShape - 0.5;
  const a = index + firstShape;
  const logBeta = gammaln(a) + gammaln(shape) - gammaln(a + shape);
  return {
    index,
    weight: Math.exp(order * Math.log(rate) - rate - gammaln(order + 1)),
    probability: betainc(x, a, shape),
    step: Math.exp(a * Math.log(x) + shape * Math.log(complement) - logBeta) / a,
  };
}

/** I(a + 1, b) = I(a, b) − step (Abramowitz and Stegun 26.5.16). */
function termAfter({ index, weight, probability, step }: Term, series: Series): Term {
  const a = index + series.firstShape;
  return {
    index: index + 1,
    weight: (weight * series.rate) / (a + 0.5),
    probability: probability - step,
    step: (step * series.x * (a + series.shape)) / (a + 1),
  };
}

function termBefore({ index, weight, probability, step }: Term, series: Series): Term {
  const a = index + series.firstShape;
  const stepBefore = (step * a) / (series.x * (a - 1 + series.shape));
  return {
    index: index - 1,
    weight: (weight * (a - 0.5)) / series.rate,
    probability: probability + stepBefore,
    step: stepBefore,
  };
}
