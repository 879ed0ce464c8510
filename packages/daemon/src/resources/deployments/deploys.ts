import type { DeployPlan, Trigger } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Tx } from '../../db/store.ts';

/**
 * Request to the deployment runner. The triggers scale, restart and start deploy the live release and need no other
 * field.
 */
export interface DeployAsk {
  /** Tag to deploy. Default: the pinned tag of the app, otherwise the live tag. */
  tag?: string;
  /**
   * Digest of the pushed image. The deployment uses this image even if the tag points to another image now. Requires
   * `tag`.
   */
  digest?: string;
  trigger: Trigger;
  /** Id of the deployment to roll back to. The rollback restores its exact image, settings and variables. */
  rollbackOf?: number;
  /** App whose exact live image is promoted. */
  from?: AppTarget;
  /**
   * Whether a change of settings or variables caused the request. The deployment then keeps the live or pending image,
   * unless the settings name another image.
   */
  ofChange?: boolean;
}

export interface WantedDeployment {
  app: AppTarget;
  ask: DeployAsk;
}

/** Interface of the deployment runner for the rest of the daemon. */
export interface Deploys {
  /**
   * Checks a request quickly, records the deployment and returns its id. The deployment runs in the background and
   * replaces pending deployments of the app.
   * @throws DavitError conflict (image known to be absent, nothing to deploy), invalid_input (no tag), unavailable
   */
  request(app: AppTarget, ask: DeployAsk): Promise<number>;
  /**
   * Records a change together with its deployments, all or nothing.
   * @param change makes the change and returns the deployments. The function calls `change` twice and rolls the first
   * call back.
   * @throws the errors of `request` and of the change
   */
  requestWith(change: (tx: Tx) => readonly WantedDeployment[]): Promise<number[]>;
  /**
   * Returns what a request would do. Changes nothing.
   * @throws the errors of `request`
   */
  plan(app: AppTarget, ask: DeployAsk): Promise<DeployPlan>;
  /**
   * Returns one plan for each deployment of a change. Changes nothing.
   * @throws the errors of `requestWith`
   */
  planWith(change: (tx: Tx) => readonly WantedDeployment[]): Promise<DeployPlan[]>;
  /**
   * Applies the reserved limits of an app to its replicas without a restart, including the replicas of a deployment in
   * progress.
   * @throws DavitError conflict with the message of the engine, unavailable
   */
  limit(app: AppTarget): Promise<void>;
  /**
   * Cancels a deployment.
   * @throws DavitError conflict if the deployment has ended or is switching traffic
   */
  cancel(deploymentId: number): Promise<void>;
  /**
   * Stops an app and cancels its deployments. Returns when no route and no DNS name leads to the app. If the proxy is
   * unavailable, its routes follow later. The running replicas are retired like those of any old release.
   * @throws DavitError conflict if nothing is live or a deployment is switching traffic
   */
  stop(appId: number): Promise<void>;
  /**
   * Resolves when no replica of the app runs, or when the app is not stopped any more. Rejects with the signal's reason
   * on abort.
   */
  stopped(appId: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the deployment has ended; rejects with the signal's reason on abort. */
  ended(deploymentId: number, signal: AbortSignal): Promise<void>;
  /**
   * Removes everything of the apps that are marked as deleted, and then their records. A repeated call after a restart
   * continues.
   * @param projectId project whose apps are removed. Default: all projects.
   */
  removeDeleted(projectId?: number): Promise<void>;
}
