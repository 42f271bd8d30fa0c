import type { Service } from './service.ts';

export type ReportFormat = 'markdown' | 'comment' | 'html' | 'csv' | 'junit';

/** A report of an evaluation, as the service writes it. */
export async function getReport(
  service: Service,
  id: string,
  format: ReportFormat,
): Promise<string> {
  const path = `/v1/eval/${id}/report?format=${format}`;
  const { body } = await service.call({ method: 'GET', path, accept: '*/*' });
  return body;
}
