import { ownApplication, type Application } from './application.ts';
import type { TargetPolicy } from './target-guard.ts';
import type { ServiceBinding } from './service-binding.ts';

/** What the service may speak to of its own accord. */
export interface Integrations {
  readonly jobScheduler?: ServiceBinding | undefined;
  readonly alertNotification?: ServiceBinding | undefined;
  readonly targetPolicy: TargetPolicy;
  readonly application: Application;
}

/** A service that runs by itself: nothing is bound. */
export const noIntegrations: Integrations = {
  targetPolicy: { hosts: [], allowLoopback: false },
  application: ownApplication,
};
