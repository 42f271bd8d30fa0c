import { z } from 'zod';

const SapId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, 'is not an id of the Job Scheduling Service');

/** What the Job Scheduling Service says of itself with every run. */
export const JobRunHeaders = z.looseObject({
  'x-sap-job-id': SapId.meta({ example: '118204' }),
  'x-sap-job-schedule-id': SapId.meta({ example: '3f5937bd-4ec8-401d-826a-ed36800dc214' }),
  'x-sap-job-run-id': SapId.meta({ example: '5a74ee43-a3ec-4a58-836f-e29612643070' }),
  'x-sap-scheduler-host': z.string().max(300).meta({
    description: 'Must have the host of the binding.',
    example: 'https://jobscheduler-rest.example.test',
  }),
});
