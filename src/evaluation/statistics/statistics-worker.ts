import { parentPort, workerData } from 'node:worker_threads';

import { doTask } from './do-task.ts';
import type { TaskInput, TaskName, TaskPart } from './statistics-tasks.ts';

const { name } = workerData as { name: TaskName };
const questions: unknown[] = [];

parentPort?.on('message', (part: TaskPart) => {
  questions.push(...(part.questions ?? []));
  if (!part.rest) return;
  const input = 'questions' in part.rest ? { ...part.rest, questions } : part.rest;
  parentPort?.postMessage(doTask(name, input as TaskInput<TaskName>));
});
