import type { AnswerPlace, HttpConfiguration } from '../../../model/http-search.ts';
import type { ConfigurationFault } from '../../ai-core/configuration-fault.ts';
import { findTemplateFaults, inserts } from './fill-template.ts';
import { createPlaceReader } from './read-place.ts';

/** What is wrong between the parts of a configuration, found before anything is searched. */
export function findConfigurationFaults(
  configuration: HttpConfiguration,
): readonly ConfigurationFault[] {
  return [
    ...findMethodFaults(configuration),
    ...findTemplates(configuration),
    ...findPlaces(configuration),
    ...findPages(configuration),
  ];
}

function findMethodFaults({ method, body }: HttpConfiguration): readonly ConfigurationFault[] {
  if (method === 'POST' || body === undefined) return [];
  return [{ path: ['body'], message: 'is sent with the method "POST" only' }];
}

function findTemplates({ query, body = null }: HttpConfiguration): readonly ConfigurationFault[] {
  const faults = [...findTemplateFaults(query, ['query']), ...findTemplateFaults(body, ['body'])];
  if (faults.length > 0) return faults.map(({ path, detail }) => ({ path, message: detail }));
  if (inserts(query, 'question') || inserts(body, 'question')) return [];
  const message = 'must insert the question: { "$value": "question" } in "body" or in "query"';
  return [{ path: [], message }];
}

function findPlaces({ answer }: HttpConfiguration): readonly ConfigurationFault[] {
  const places = Object.entries(answer) as [string, AnswerPlace | undefined][];
  return places.flatMap(([name, place]) => {
    const message = place === undefined ? undefined : findPlaceFault(place);
    return message === undefined ? [] : [{ path: ['answer', name], message }];
  });
}

function findPlaceFault(place: AnswerPlace): string | undefined {
  try {
    createPlaceReader(place);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

/** Without its offset or number, every page would be the first one. */
function findPages({ pageSize, query, body }: HttpConfiguration): readonly ConfigurationFault[] {
  if (pageSize === undefined) return [];
  const isPaged = [query, body].some((each) => inserts(each, 'offset') || inserts(each, 'page'));
  if (isPaged) return [];
  const message =
    'needs { "$value": "offset" } or { "$value": "page" } in "body" or in "query", else every request returns the first page';
  return [{ path: ['pageSize'], message }];
}
