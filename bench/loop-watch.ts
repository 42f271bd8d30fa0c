/**
 * Loaded into the service by benches: on SIGUSR2 it writes the longest pauses of the event
 * loop since the last time into the file LOOP_WATCH_FILE, and begins anew.
 */
import { renameSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

const path = process.env['LOOP_WATCH_FILE'];
if (isMainThread && path !== undefined) watch(path);

function watch(file: string): void {
  let last = { wall: performance.now(), processor: process.threadCpuUsage() };
  let longest = { wall: 0, own: 0 };
  setInterval(() => {
    const wall = performance.now();
    const processor = process.threadCpuUsage();
    const used = processor.user + processor.system - last.processor.user - last.processor.system;
    longest = {
      wall: Math.max(longest.wall, wall - last.wall),
      own: Math.max(longest.own, used / 1000),
    };
    last = { wall, processor };
  }, 1).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.part`, JSON.stringify(longest));
    renameSync(`${file}.part`, file);
    longest = { wall: 0, own: 0 };
  });
}
