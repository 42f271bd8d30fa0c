import { parentPort, workerData } from 'node:worker_threads';

import { doTask } from './do-task.ts';
import type { TaskInput, TaskName } from './statistics-tasks.ts';

const { name, input } = workerData as { name: TaskName; input: TaskInput<TaskName> };
parentPort?.postMessage(doTask(name, input));
