import type { AlertEvent, AlertEventType } from '../../model/alert-event.ts';
import type { Application } from './application.ts';

/** An event as the producer API of SAP Alert Notification takes it. */
export interface Notification {
  readonly eventType: string;
  /** Seconds since 1970. */
  readonly eventTimestamp: number;
  readonly severity: 'WARNING' | 'ERROR';
  readonly category: 'ALERT';
  readonly subject: string;
  readonly body: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly resource: {
    readonly resourceName: string;
    readonly resourceType: 'app';
    readonly resourceInstance: string;
    readonly tags: { readonly env: string };
  };
}

const eventTypes = {
  'evaluation-failed': 'RetrievalEvaluationFailed',
  'gate-failed': 'RetrievalQualityDropped',
  'drift-detected': 'RetrievalQualityDrifted',
  'schedule-missed': 'RetrievalScheduleMissed',
  'schedule-failed': 'RetrievalScheduleFailed',
} as const satisfies Record<AlertEventType, string>;

/** Says an alert in the words of SAP Alert Notification. */
export function toNotification(event: AlertEvent, application: Application): Notification {
  const { type, severity, subject, detail, evaluation, schedule, occurredAt } = event;
  return {
    eventType: eventTypes[type],
    eventTimestamp: Math.floor(Date.parse(occurredAt) / 1000),
    severity: severity === 'error' ? 'ERROR' : 'WARNING',
    category: 'ALERT',
    subject,
    body: detail,
    tags: {
      ...(evaluation !== undefined && { evaluation }),
      ...(schedule !== undefined && { schedule }),
      'ans:correlationId': `${application.name}/${schedule ?? evaluation ?? event.about}`,
    },
    resource: {
      resourceName: application.name,
      resourceType: 'app',
      resourceInstance: application.instance,
      tags: { env: application.environment },
    },
  };
}
