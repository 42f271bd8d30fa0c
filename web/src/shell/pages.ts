import type { PageName } from './router.ts';

/** Each page is a file of its own that the browser fetches when a reader first goes there. */
const pages: Readonly<Record<PageName, () => Promise<{ readonly tag: string }>>> = {
  home: () => import('../pages/home.ts'),
  evaluation: () => import('../pages/evaluation.ts'),
  questions: () => import('../pages/questions.ts'),
  question: () => import('../pages/question.ts'),
  judge: () => import('../pages/judge.ts'),
  comparison: () => import('../pages/comparison.ts'),
  trends: () => import('../pages/trends.ts'),
  funnel: () => import('../pages/funnel.ts'),
  'question-set': () => import('../pages/question-set.ts'),
  missing: () => import('../pages/missing.ts'),
};

/** The name of the element that shows a page. */
export async function loadPage(page: PageName): Promise<string> {
  return (await pages[page]()).tag;
}
