import process from 'node:process';

/** How far a long work is. */
export interface Progress {
  readonly show: (state: ProgressState) => void;
  readonly end: () => void;
}

interface ProgressState {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly remainingSeconds?: number | null | undefined;
}

const barWidth = 24;
/** Where a log is written, a line is for good. */
const lineEveryMs = 10_000;

/** A bar on a terminal; elsewhere a line now and then. Short work shows nothing. */
export function createProgress({ quiet }: { readonly quiet?: boolean | undefined }): Progress {
  if (quiet === true) return { show: () => undefined, end: () => undefined };
  return process.stderr.isTTY ? createBar() : createLines();
}

function createBar(): Progress {
  let isShown = false;
  return {
    show(state) {
      if (state.done >= state.total && !isShown) return;
      isShown = true;
      const filled = Math.round((barWidth * state.done) / Math.max(state.total, 1));
      const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
      process.stderr.write(`\r\u001B[K${bar} ${describe(state)}`);
    },
    end() {
      if (isShown) process.stderr.write('\r\u001B[K');
    },
  };
}

function createLines(): Progress {
  let lastAt = Date.now();
  return {
    show(state) {
      if (Date.now() - lastAt < lineEveryMs) return;
      lastAt = Date.now();
      process.stderr.write(`${describe(state)}\n`);
    },
    end: () => undefined,
  };
}

function describe({ done, total, failed, remainingSeconds }: ProgressState): string {
  const failures = failed > 0 ? `, ${failed} failed` : '';
  const remaining =
    remainingSeconds === null || remainingSeconds === undefined
      ? ''
      : `, ${remainingSeconds} s left`;
  return `${done} of ${total} searches${failures}${remaining}`;
}
