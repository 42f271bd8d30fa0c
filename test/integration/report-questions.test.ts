import { describe, expect, it } from 'vitest';

import { createTestApp } from '../helpers/app.ts';
import { ask, evaluate } from '../helpers/client.ts';

/** As many questions as do not fit into one folded part; the first finds nothing in one run, the second differs. */
const count = 501;

const rank = (ids: readonly string[]) => ids.map((documentId) => ({ documentId }));

async function getReport(): Promise<string> {
  const app = await createTestApp();
  const questions = Array.from({ length: count }, (_, index) => ({
    id: `q${index + 1}`,
    text: index === 0 ? '<script>alert(1)</script>' : `question ${index + 1}`,
    relevant: { D1: 1 },
  }));
  await ask(app, 'PUT', '/v1/question-sets/s', { body: { questions } });
  const rankings = Object.fromEntries(questions.map(({ id }) => [id, rank(['D1'])]));
  const runs = {
    one: { ...rankings, q1: rank(['D9']) },
    two: { ...rankings, q2: rank(['D9', 'D1']) },
  };
  for (const [name, body] of Object.entries(runs)) {
    await ask(app, 'PUT', `/v1/runs/${name}`, { body: { rankings: body } });
  }
  const configurations = Object.keys(runs).map((run) => ({ name: run, backend: 'run', run }));
  const { id } = await evaluate(app, { questionSet: 's', configurations, measures: ['RR'] });
  return (await app.inject({ url: `/v1/eval/${id}/report?format=html` })).body;
}

describe('the questions of the HTML report', () => {
  it('name those that differ and that find nothing, with their ranks, and fold all', async () => {
    const html = await getReport();
    const [, differing = '', rest = ''] =
      /Questions that differ most on RR<\/h2>(.*)<h2>Questions for which a configuration found nothing relevant<\/h2>(.*)/s.exec(
        html,
      ) ?? [];
    const [nothing = '', all = ''] = rest.split('<h2>All questions, the worst first</h2>');

    expect(differing).toContain('<td>0.000 (not found)</td><td>1.000 (rank 1)</td>');
    expect(differing).toContain(
      '<td>q2</td><td>question 2</td><td>1.000 (rank 1)</td><td>0.500 (rank 2)</td>',
    );
    expect(nothing.match(/<tr><td>/g)).toHaveLength(1);
    expect(all.match(/<summary>[^<]*/g)).toEqual([
      '<summary>Questions 1 to 500',
      '<summary>Questions 501 to 501',
    ]);
    expect(all.match(/<tr><td>/g)).toHaveLength(count);
    expect(all).not.toContain('<details open');
  });

  it('stay text', async () => {
    const html = await getReport();

    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toContain('<script');
  });
});
