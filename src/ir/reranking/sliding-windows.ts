/** A part of a list: from the first place to the one before `end`. */
export type Window = readonly [start: number, end: number];

/**
 * The windows through which a long list is ordered, the last part of it first, each `step` nearer to the top
 * than the one before, so that a good candidate rises with them (Sun et al., "Is ChatGPT Good at Search?",
 * EMNLP 2023). The last window is the list's first part, whatever is left. `step` is smaller than `window`.
 */
export function slideWindows(
  candidates: number,
  { window, step }: { readonly window: number; readonly step: number },
): readonly Window[] {
  if (candidates === 0) return [];
  const windows: Window[] = [];
  let end = candidates;
  while (end > window) {
    windows.push([end - window, end]);
    end -= step;
  }
  return [...windows, [0, Math.min(candidates, Math.max(end, window))]];
}
