import type { DeployPlan, Trigger } from '@davit/api';
import type { AppTarget } from '../release/app-target.ts';

/** What is asked of the deploy machine. */
export interface DeployAsk {
  /** Absent: the pin, else the live tag. */
  tag?: string;
  trigger: Trigger;
  /** Go back to this deployment: its exact image, settings and variables. */
  rollbackOf?: number;
}

/** The deploy machine as the core sees it. */
export interface Deploys {
  /**
   * Checks cheaply, records, and answers the deployment's number; the work is detached. What was waiting for the app is
   * superseded.
   * @throws DavitError conflict (image known to be absent, nothing to deploy), invalid_input (no tag), unavailable
   */
  request(app: AppTarget, ask: DeployAsk): Promise<number>;
  /** What a request would do, without doing it. Same errors. */
  plan(app: AppTarget, ask: DeployAsk): Promise<DeployPlan>;
  /**
   * Gives the running instances the app's limits, without a restart.
   * @throws DavitError conflict with the engine's words, unavailable
   */
  limit(app: AppTarget): Promise<void>;
  /** @throws DavitError conflict when it has ended or its traffic is moving */
  cancel(deploymentId: number): Promise<void>;
  /** Resolves when the deployment has ended; rejects with the signal's reason on abort. */
  ended(deploymentId: number, signal: AbortSignal): Promise<void>;
  /** Takes down everything of the apps that are marked deleted, and forgets them. Survives a restart by being repeated. */
  removeDeleted(): Promise<void>;
}
