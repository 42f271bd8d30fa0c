import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

/** A file system of a few megabytes, in memory. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all free space. */
  readonly fill: () => void;
  /** Gives the space back. */
  readonly empty: () => void;
}

/** Mounts a tmpfs until the test ends. Returns why that is not possible, which takes root on Linux. */
export function mountSmallDisk(megabytes: number): SmallDisk | string {
  const folder = mkdtempSync(join(tmpdir(), 'grounding-eval-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], {
      stdio: 'pipe',
    });
  } catch (error) {
    rmdirSync(folder);
    return `A small file system cannot be mounted here: ${String(error)}`;
  }
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  });
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize));
      } catch (error) {
        // Others wrote meanwhile, so that it is full before the end.
        if (!String(error).includes('ENOSPC')) throw error;
      }
    },
    empty: () => rmSync(filler),
  };
}
