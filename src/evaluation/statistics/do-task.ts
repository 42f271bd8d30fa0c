import {
  statisticsTasks,
  type TaskInput,
  type TaskName,
  type TaskResult,
} from './statistics-tasks.ts';

/** Does a task of the table here and now. */
export function doTask<Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
): TaskResult<Name> {
  // TypeScript does not see that the name picks input and result together.
  const task = statisticsTasks[name] as (given: TaskInput<Name>) => TaskResult<Name>;
  return task(input);
}
