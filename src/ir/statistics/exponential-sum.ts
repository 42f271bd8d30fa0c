/** A sum of terms x · G, G being a gamma variable of shape `count`: the sum of `count` exponential ones. */
export interface ExponentialSum {
  readonly values: Float64Array;
  readonly counts: Float64Array;
}

/**
 * P(Σ xⱼ Gⱼ ≤ 0) of independent gamma variables Gⱼ with the shapes `count`, by inverting the moment generating
 * function Π (1 − s xⱼ)^(−count). The path of integration is the vertical line through the saddlepoint of the
 * integrand (Daniels, Annals of Mathematical Statistics 25, 1954), parametrised by sinh, on which the trapezoidal
 * rule converges exponentially (Trefethen and Weideman, SIAM Review 56, 2014). Small tails keep their relative
 * precision. Terms of value 0, or 40 orders of magnitude below the largest, do not count; without any other the answer is 1.
 */
export function probabilityAtMostZero({ values: given, counts }: ExponentialSum): number {
  const values = scale(given);
  let [expected, least, most] = [0, 0, 0];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    expected += value * (counts[index] as number);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (most === 0) return 1;
  if (least === 0) return 0;
  if (expected >= 0) return lowerTail(values, counts, least);
  const mirrored = values.map((value) => -value);
  return 1 - lowerTail(mirrored, counts, -most);
}

/** The search for the saddlepoint halves its range 200 times at most, and must not end before it gets there. */
const negligibleShare = 1e-40;

/** The sum keeps its sign when every value is divided by the largest. Poles at values near 0 would overflow. */
function scale(values: Float64Array): Float64Array {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return values;
  return values.map((value) => (Math.abs(value) < negligibleShare * largest ? 0 : value / largest));
}

/** The step between nodes is halved from the first on, until two sums agree or to the last. */
const firstStep = 0.25;
const lastStep = 2 ** -14;

/** Relative; sums this close agree, and as each halving squares the error, the second is far closer still. */
const agreement = 1e-9;

/** Nodes that add less change no digit of the sum. */
const negligible = 1e-17;

/** P(X ≤ 0) = −1/(2πi) ∫ exp(K(s)) / s ds upwards through a c < 0, with K(s) = −Σ count · ln(1 − s x). */
function lowerTail(values: Float64Array, counts: Float64Array, least: number): number {
  const centre = findSaddlepoint(values, counts, 1 / least);
  const width = 1 / Math.sqrt(curvature(values, counts, centre));
  const ratios = values.map((value) => value / (1 - centre * value));
  const sumFrom = (first: number, step: number) => {
    let sum = 0;
    for (let u = first; ; u += step) {
      const { real, size } = integrandAt(ratios, counts, { centre, height: width * Math.sinh(u) });
      sum += real * Math.cosh(u);
      if (!(size * Math.cosh(u) >= negligible)) return sum;
    }
  };
  let [step, sum] = [firstStep, 0.5 + sumFrom(firstStep, firstStep)];
  for (let isClose = false; !isClose && step > lastStep; step /= 2) {
    const between = sumFrom(step / 2, step);
    isClose = Math.abs(between - sum) <= agreement * Math.abs(sum + between);
    sum += between;
  }
  return ((Math.exp(logarithmAt(values, counts, centre)) * width * step) / Math.PI) * sum;
}

/**
 * The integrand at centre + i·height over that at the centre: 1 / ((1 + i height / centre) Π (1 − i height ratio)^count).
 * Single terms are multiplied, as logarithms of thousands of them would take ten times as long. Their product cannot
 * overflow: the sum ends where the integrand is negligible, long before that.
 */
function integrandAt(
  ratios: Float64Array,
  counts: Float64Array,
  { centre, height }: { readonly centre: number; readonly height: number },
): { readonly real: number; readonly size: number } {
  let [real, imaginary] = [1, height / centre];
  let [logSize, angle] = [0, 0];
  for (let index = 0; index < ratios.length; index += 1) {
    const part = -height * (ratios[index] as number);
    const count = counts[index] as number;
    if (count !== 1) {
      logSize += 0.5 * count * Math.log1p(part * part);
      angle += count * Math.atan(part);
      continue;
    }
    const next = real - imaginary * part;
    imaginary += real * part;
    real = next;
  }
  const size = Math.exp(-logSize) / Math.hypot(real, imaginary);
  return { size, real: size * Math.cos(angle + Math.atan2(imaginary, real)) };
}

/** ln of exp(K(c)) / −c, the integrand on the real axis. */
function logarithmAt(values: Float64Array, counts: Float64Array, centre: number): number {
  let sum = -Math.log(-centre);
  for (let index = 0; index < values.length; index += 1) {
    sum -= (counts[index] as number) * Math.log1p(-centre * (values[index] as number));
  }
  return sum;
}

/** Where K(s) − ln(−s), which is convex, is least between its poles 1 / min x and 0. */
function findSaddlepoint(values: Float64Array, counts: Float64Array, pole: number): number {
  let [low, high] = [pole, 0];
  let [centre, moved] = [pole, pole / 2];
  // The integral does not depend on the path: a point near the saddlepoint will do.
  for (
    let round = 0;
    round < 200 && Math.abs(moved - centre) > 1e-6 * Math.abs(moved);
    round += 1
  ) {
    centre = moved;
    const slope = slopeAt(values, counts, centre);
    if (slope > 0) high = centre;
    else low = centre;
    const next = centre - slope / curvature(values, counts, centre);
    moved = next > low && next < high ? next : (low + high) / 2;
  }
  return moved;
}

function slopeAt(values: Float64Array, counts: Float64Array, centre: number): number {
  let sum = -1 / centre;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    sum += ((counts[index] as number) * value) / (1 - centre * value);
  }
  return sum;
}

function curvature(values: Float64Array, counts: Float64Array, centre: number): number {
  let sum = 1 / centre ** 2;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number;
    sum += (counts[index] as number) * (value / (1 - centre * value)) ** 2;
  }
  return sum;
}
