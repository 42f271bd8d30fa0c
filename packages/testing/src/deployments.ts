export interface Deployment {
  readonly id: string;
  readonly scenarioId: string;
  readonly status: string;
  readonly deploymentUrl: string;
  readonly [field: string]: unknown;
}

export interface DeploymentList {
  readonly count: number;
  readonly resources: readonly Deployment[];
}

/** The deployments that a query for a scenario and a status asks for. */
export function listDeployments(
  deployments: readonly Deployment[],
  { scenarioId, status }: Readonly<Record<string, string>>,
): DeploymentList {
  const resources = deployments.filter(
    (deployment) =>
      (scenarioId === undefined || deployment.scenarioId === scenarioId) &&
      (status === undefined || deployment.status === status),
  );
  return { count: resources.length, resources };
}

/** A running orchestration deployment, as `GET /v2/lm/deployments` lists it. */
export function createOrchestrationDeployment(apiUrl: string): Deployment {
  const id = 'd0123456789abcde';
  const configurationId = 'cfc4f519-ec80-496b-9853-f107069b54f7';
  return {
    id,
    configurationId,
    configurationName: 'orchestration-config',
    scenarioId: 'orchestration',
    status: 'RUNNING',
    targetStatus: 'RUNNING',
    lastOperation: 'CREATE',
    latestRunningConfigurationId: configurationId,
    deploymentUrl: `${apiUrl}/v2/inference/deployments/${id}`,
    details: { resources: { backendDetails: {} }, scaling: { backendDetails: {} } },
    createdAt: '2026-01-10T10:00:00Z',
    modifiedAt: '2026-04-01T10:00:00Z',
    submissionTime: '2026-01-10T10:00:05Z',
    startTime: '2026-01-10T10:01:00Z',
  };
}
