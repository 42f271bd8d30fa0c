import { describe, expect, it } from 'vitest';

import { streamQuestions } from '../../src/storage/question-sets/questions.ts';
import { startService } from '../helpers/app.ts';
import { ask } from '../helpers/client.ts';
import { createDatabase, databaseKinds } from '../helpers/databases.ts';

describe.each(databaseKinds)('questions of a version, read in batches on %s', (kind) => {
  it.each([
    ['with few that are likely', { likely: 2 }, [0, 1, 2, 3, 4, 5, 6]],
    ['with all that are likely', { likely: 7 }, [0, 1, 2, 3, 4, 5, 6]],
    ['from behind one to another', { after: 1, to: 4, likely: 1 }, [2, 3, 4]],
    ['behind the last', { after: 6, likely: 1 }, []],
  ])('come each once and in order, %s', async (_name, range, expected) => {
    const { app, db, close } = await startService({ databaseUrl: await createDatabase(kind) });
    const questions = Array.from({ length: 7 }, (_, index) => {
      return { id: `q${index}`, text: `question ${index}`, relevant: { d: 1 } };
    });
    await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
    const read = await Array.fromAsync(
      streamQuestions(db, { questionSet: 's', version: 1 }, range),
      ({ position }) => position,
    );
    await close();

    expect(read).toEqual(expected);
  });
});
