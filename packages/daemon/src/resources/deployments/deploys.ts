import type { DeployPlan, Trigger } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Tx } from '../../db/store.ts';

/**
 * Options of a deployment request. A request with the trigger `scale`, `restart` or `start` deploys the live release
 * again and needs no other option.
 */
export interface DeployRequest {
  /**
   * Image tag to deploy. By default, Davit uses the tag in the app's settings. If the settings contain no tag, Davit
   * uses the tag of the newest release.
   */
  tag?: string;
  /**
   * Digest of a pushed image. The deployment uses exactly this image, even if the tag refers to another image later.
   * Requires `tag`.
   */
  digest?: string;
  trigger: Trigger;
  /**
   * Id of the deployment to which the app is rolled back. The rollback restores the image, settings and variables of
   * this deployment.
   */
  rollbackOf?: number;
  /** App whose image is promoted. The deployment uses exactly the image of this app's live release. */
  from?: AppTarget;
  /**
   * `true` if settings or variables of the app changed. The deployment then uses the image of the pending or live
   * deployment. If the settings contain another image repository now, the deployment uses the tag. If the app has no
   * release, the deployment uses the tag of the last deployment, which must have failed.
   */
  ofChange?: boolean;
}

export interface WantedDeployment {
  app: AppTarget;
  ask: DeployRequest;
}

/** Interface for other modules to request a deployment, cancel it or wait for its end. */
export interface Deploys {
  /**
   * Starts a deployment and returns its id. The new deployment replaces pending deployments of the app.
   * @throws DavitError not_found, conflict, invalid_input, engine_unavailable, registry_unavailable, storage_unavailable
   */
  request(app: AppTarget, ask: DeployRequest): Promise<number>;
  /**
   * Makes a change and requests deployments. If one of the deployments is refused, the change is not saved.
   * @param change runs several times, but only the last run is saved
   * @throws the errors of `request` and `change`
   */
  requestWith(change: (tx: Tx) => readonly WantedDeployment[]): Promise<number[]>;
  /**
   * Returns the plan of a deployment: its steps, and the changes from the live release. The function changes nothing.
   * @throws the same errors as `request`
   */
  plan(app: AppTarget, ask: DeployRequest): Promise<DeployPlan>;
  /**
   * Returns one plan for each deployment that a change would start. The function changes nothing.
   * @throws the errors of `requestWith`
   */
  planWith(change: (tx: Tx) => readonly WantedDeployment[]): Promise<DeployPlan[]>;
  /**
   * Sets the app's limits on its running containers without a restart. The caller must first reserve the limits in the
   * project quota.
   * @throws DavitError conflict, EngineUnavailable
   */
  limit(app: AppTarget): Promise<void>;
  /**
   * Cancels a deployment and waits for the end of the deployment.
   * @throws DavitError conflict if the deployment has ended or is switching traffic
   */
  cancel(deploymentId: number): Promise<void>;
  /**
   * Stops an app and cancels its deployments. The promise resolves when HAProxy sends no more requests to the app, or
   * if HAProxy is unavailable. The containers of the app stop later, after their drain time.
   * @throws DavitError conflict
   */
  stop(appId: number): Promise<void>;
  /**
   * Resolves when a stopped app has no running replicas, or when a user starts the app again. If the signal aborts,
   * rejects with the signal's reason.
   */
  stopped(appId: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the deployment has ended. If the signal aborts, rejects with the signal's reason. */
  ended(deploymentId: number, signal: AbortSignal): Promise<void>;
  /**
   * Removes the containers, networks and database rows of deleted apps. After a crash, the function can safely be
   * called again.
   * @param projectId project whose deleted apps are removed. Default: all projects.
   */
  removeDeleted(projectId?: number): Promise<void>;
}
