import type { AnswerPlace, HttpConfiguration } from '../../../model/http-search.ts';
import type { ConfigurationIssue } from '../../ai-core/configuration-issue.ts';
import { findTemplateIssues, inserts } from './fill-template.ts';
import { createPlaceReader } from './read-place.ts';

/** What is wrong between the parts of a configuration, found before anything is searched. */
export function findConfigurationIssues(
  configuration: HttpConfiguration,
): readonly ConfigurationIssue[] {
  return [
    ...findMethodIssues(configuration),
    ...findTemplates(configuration),
    ...findPlaces(configuration),
    ...findPages(configuration),
  ];
}

function findMethodIssues({ method, body }: HttpConfiguration): readonly ConfigurationIssue[] {
  if (method === 'POST' || body === undefined) return [];
  return [{ path: ['body'], message: 'is sent with the method "POST" only' }];
}

function findTemplates({ query, body = null }: HttpConfiguration): readonly ConfigurationIssue[] {
  const issues = [...findTemplateIssues(query, ['query']), ...findTemplateIssues(body, ['body'])];
  if (issues.length > 0) return issues.map(({ path, detail }) => ({ path, message: detail }));
  if (inserts(query, 'question') || inserts(body, 'question')) return [];
  const message = 'must insert the question: { "$value": "question" } in "body" or in "query"';
  return [{ path: [], message }];
}

function findPlaces({ answer }: HttpConfiguration): readonly ConfigurationIssue[] {
  const places = Object.entries(answer) as [string, AnswerPlace | undefined][];
  return places.flatMap(([name, place]) => {
    const message = place === undefined ? undefined : findPlaceIssue(place);
    return message === undefined ? [] : [{ path: ['answer', name], message }];
  });
}

function findPlaceIssue(place: AnswerPlace): string | undefined {
  try {
    createPlaceReader(place);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/** Without its offset or number, every page would be the first one. */
function findPages({ pageSize, query, body }: HttpConfiguration): readonly ConfigurationIssue[] {
  if (pageSize === undefined) return [];
  const isPaged = [query, body].some((each) => inserts(each, 'offset') || inserts(each, 'page'));
  if (isPaged) return [];
  const message =
    'needs { "$value": "offset" } or { "$value": "page" } in "body" or in "query", else every request returns the first page';
  return [{ path: ['pageSize'], message }];
}
