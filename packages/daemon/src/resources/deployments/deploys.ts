import type { DeployPlan, Trigger } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { Tx } from '../../db/store.ts';

/**
 * Options of a deployment request. The triggers `scale`, `restart` and `start` deploy the live release and need no
 * other option.
 */
export interface DeployRequest {
  /** Image tag to deploy. Default: the tag in the app's settings, otherwise the tag of the newest release. */
  tag?: string;
  /** Digest of a pushed image. The deployment uses this image even if the tag is pushed again later. Requires `tag`. */
  digest?: string;
  trigger: Trigger;
  /**
   * Id of the deployment to which the app is rolled back. The rollback restores its exact image, settings and
   * variables.
   */
  rollbackOf?: number;
  /** Source app of a promotion. The deployment uses exactly the image of this app's live release. */
  from?: AppTarget;
  /**
   * `true` if settings or variables changed. The image then stays that of the pending or live deployment, unless its
   * repository changed.
   */
  ofChange?: boolean;
}

export interface WantedDeployment {
  app: AppTarget;
  ask: DeployRequest;
}

/** Interface with which other modules request deployments, cancel them and wait for their end. */
export interface Deploys {
  /**
   * Starts a deployment, which replaces pending ones, and returns its id.
   * @throws DavitError conflict, invalid_input, engine_unavailable, registry_unavailable, storage_unavailable
   */
  request(app: AppTarget, ask: DeployRequest): Promise<number>;
  /**
   * Saves a change only if all its deployments are accepted.
   * @param change runs several times; only the last run is saved
   * @throws the errors of `request` and `change`
   */
  requestWith(change: (tx: Tx) => readonly WantedDeployment[]): Promise<number[]>;
  /**
   * Returns what a deployment would do: its steps, and the changes from the live release. Changes nothing.
   * @throws the same errors as `request`
   */
  plan(app: AppTarget, ask: DeployRequest): Promise<DeployPlan>;
  /**
   * Returns one plan for each deployment that a change would cause. Changes nothing.
   * @throws the errors of `requestWith`
   */
  planWith(change: (tx: Tx) => readonly WantedDeployment[]): Promise<DeployPlan[]>;
  /**
   * Sets the app's limits on its running containers without a restart. The project quota must already include the
   * limits.
   * @throws DavitError conflict, EngineUnavailable
   */
  limit(app: AppTarget): Promise<void>;
  /**
   * Cancels a deployment and waits for its end.
   * @throws DavitError conflict if the deployment has ended or is switching traffic
   */
  cancel(deploymentId: number): Promise<void>;
  /**
   * Stops an app and cancels its deployments. Returns when no requests reach the app, unless HAProxy is down.
   * Containers stop after their drain time.
   * @throws DavitError conflict
   */
  stop(appId: number): Promise<void>;
  /**
   * Resolves when no replica of a stopped app runs, or when the app was started again. Rejects with the signal's
   * reason on abort.
   */
  stopped(appId: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the deployment has ended. Rejects with the signal's reason on abort. */
  ended(deploymentId: number, signal: AbortSignal): Promise<void>;
  /**
   * Removes containers, networks and rows of apps that are marked as deleted. Can be repeated after a crash.
   * @param projectId default: all projects
   */
  removeDeleted(projectId?: number): Promise<void>;
}
