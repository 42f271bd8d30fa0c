/** `count` independent exponential variables with mean 1, each times `weight`. */
export interface WeightedTerm {
  readonly weight: number;
  readonly count: number;
}

/** The step of the sum is halved from the first on until two sums agree, or to the last. */
const firstStep = 0.25;
const lastStep = 2 ** -14;

/** Relative; below it two sums agree. */
const agreement = 1e-13;

/** A probability below about this is given by the first term of its expansion only, within about a tenth. */
const tiny = 1e-30;

/** Terms of the sum that are this small change no digit of it. */
const negligible = 1e-18;

/**
 * P(Σ wⱼ eⱼ ≤ 0) of independent eⱼ ~ Exp(1), by inversion of the moment generating function M(s) = Π 1 / (1 − wⱼ s):
 * for a real c < 0 at which M exists, P = −1 / (2πi) ∫ M(s) / s ds along s = c + it (Gil-Pelaez, Biometrika 38, 1951;
 * through a saddle point: Daniels, Ann. Math. Statist. 25, 1954, and Helstrom, IEEE Trans. Inf. Theory 24, 1978).
 * c is the saddle point, so that nothing cancels and the error is relative. t = sinh(u) / √K″(c) makes
 * the integrand fall off exponentially, so that the trapezoidal rule converges faster than any power of its step
 * (Trefethen and Weideman, SIAM Review 56, 2014). 0 without a negative weight unless all are 0, then 1.
 */
export function weightedExponentialsBelowZero(terms: readonly WeightedTerm[]): number {
  const lowest = terms.reduce((least, { weight }) => Math.min(least, weight), 0);
  if (terms.every(({ weight }) => weight <= 0)) return 1;
  if (lowest === 0) return 0;
  const saddle = findSaddle(terms, 1 / lowest);
  const logValue = terms.reduce(
    (sum, { weight, count }) => sum - count * Math.log1p(-weight * saddle),
    -Math.log(-saddle),
  );
  const shifted = shiftTo(terms, saddle);
  const curvature = shifted.reduce((sum, { weight, count }) => sum + count * weight ** 2, 0);
  const scale = 1 / Math.sqrt(curvature);
  const size = Math.exp(logValue) * scale;
  if (size < tiny) return size / Math.sqrt(2 * Math.PI);
  return Math.min(1, (size / Math.PI) * integrate(shifted, scale));
}

/** 1 / (1 − w (c + it)) is 1 / (1 − wc) · 1 / (1 − it · w / (1 − wc)); so is −1 / s, with −1 / c. */
function shiftTo(terms: readonly WeightedTerm[], saddle: number): readonly WeightedTerm[] {
  const shifted = terms.map(({ weight, count }) => ({
    weight: weight / (1 - weight * saddle),
    count,
  }));
  return [...shifted, { weight: -1 / saddle, count: 1 }];
}

/** Where log M(s) − log(−s), which is convex between `pole` and 0, is smallest: the zero of its derivative. */
function findSaddle(terms: readonly WeightedTerm[], pole: number): number {
  let [low, high] = [pole, 0];
  for (let halving = 0; halving < 50; halving += 1) {
    const middle = (low + high) / 2;
    const slope = terms.reduce(
      (sum, { weight, count }) => sum + (count * weight) / (1 - weight * middle),
      -1 / middle,
    );
    if (slope < 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** ∫ cosh(u) Re Π 1 / (1 − i t w) du over u from 0 on, t = scale · sinh(u). */
function integrate(terms: readonly WeightedTerm[], scale: number): number {
  let sum = 0.5 + sumAt(terms, scale, { first: firstStep, step: firstStep });
  let step = firstStep;
  while (step > lastStep) {
    const between = sumAt(terms, scale, { first: step / 2, step });
    const isEnough = Math.abs(between - sum) <= agreement * Math.abs(sum + between);
    [sum, step] = [sum + between, step / 2];
    if (isEnough) break;
  }
  return sum * step;
}

/** Σ of the integrand at u = first, first + step, … */
function sumAt(
  terms: readonly WeightedTerm[],
  scale: number,
  { first, step }: { readonly first: number; readonly step: number },
): number {
  let sum = 0;
  for (let index = 0; ; index += 1) {
    const u = first + index * step;
    const t = scale * Math.sinh(u);
    let logSize = Math.log(Math.cosh(u));
    let angle = 0;
    for (const { weight, count } of terms) {
      logSize -= (count * Math.log1p((t * weight) ** 2)) / 2;
      angle += count * Math.atan(t * weight);
    }
    const size = Math.exp(logSize);
    sum += size * Math.cos(angle);
    if (size < negligible) return sum;
  }
}
