import { parentPort } from 'node:worker_threads';

import { doTask } from './do-task.ts';
import type { TaskInput, TaskName, TaskPart } from './statistics-tasks.ts';

/** Of the task whose parts are arriving. */
let questions: unknown[] = [];

parentPort?.on('message', (part: TaskPart) => {
  questions.push(...(part.questions ?? []));
  if (!part.rest || part.name === undefined) return;
  const input = 'questions' in part.rest ? { ...part.rest, questions } : part.rest;
  questions = [];
  parentPort?.postMessage(doTask(part.name, input as TaskInput<TaskName>));
});
