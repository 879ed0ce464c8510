import type { DeployPlan, Trigger } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Tx } from '../../db/store.ts';

/** What is asked of the deployment runner. The kinds scale, restart and start are of what is live, and need no more. */
export interface DeployAsk {
  /** Absent: the pin, else the live tag. */
  tag?: string;
  /** With a tag: the very image that was pushed to it, whatever the tag names by now. */
  digest?: string;
  trigger: Trigger;
  /** Go back to this deployment: its exact image, settings and variables. */
  rollbackOf?: number;
  /** Take over the exact image that is live in this app. */
  from?: AppTarget;
  /** Of a change of settings or variables: the image that is live or on its way, unless the settings name another one. */
  ofChange?: boolean;
}

/** One deployment to ask for. */
export interface WantedDeployment {
  app: AppTarget;
  ask: DeployAsk;
}

/** The deployment runner as the core sees it. */
export interface Deploys {
  /**
   * Checks cheaply, records, and answers the deployment's number; the work is detached. What was waiting for the app is
   * superseded.
   * @throws DavitError conflict (image known to be absent, nothing to deploy), invalid_input (no tag), unavailable
   */
  request(app: AppTarget, ask: DeployAsk): Promise<number>;
  /**
   * Records a change together with the deployments of it, all of them or nothing. Same errors, and the change's own.
   * @param change makes the change and says what to deploy; it is called twice, the first time to be taken back
   */
  requestWith(change: (tx: Tx) => readonly WantedDeployment[]): Promise<number[]>;
  /** What a request would do, without doing it. Same errors. */
  plan(app: AppTarget, ask: DeployAsk): Promise<DeployPlan>;
  /** What a change and its deployments would do, one plan each. Same errors. */
  planWith(change: (tx: Tx) => readonly WantedDeployment[]): Promise<DeployPlan[]>;
  /**
   * Gives the replicas of an app its limits, as far as they are reserved, without a restart; those of a deployment in
   * progress included.
   * @throws DavitError conflict with the engine's words, unavailable
   */
  limit(app: AppTarget): Promise<void>;
  /** @throws DavitError conflict when it has ended or its traffic is moving */
  cancel(deploymentId: number): Promise<void>;
  /**
   * Takes the app out of traffic for good and ends what is deployed to it; returns when no request and no name leads to
   * it any more, or that has to wait for the proxy. What runs is retired like any release.
   * @throws DavitError conflict when nothing is live or traffic is moving
   */
  stop(appId: number): Promise<void>;
  /** Resolves when nothing of the app runs, or it is not stopped any more; rejects with the signal's reason on abort. */
  stopped(appId: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the deployment has ended; rejects with the signal's reason on abort. */
  ended(deploymentId: number, signal: AbortSignal): Promise<void>;
  /**
   * Takes down everything of the apps that are marked deleted, and forgets them. Survives a restart by being repeated.
   * @param projectId the project to look at; absent: all of them
   */
  removeDeleted(projectId?: number): Promise<void>;
}
