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
   * `true` if a change of settings or variables caused the deployment. Such a deployment uses the same image as the
   * pending or live deployment. If the change sets another image repository, the deployment uses the new repository.
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
   * Checks a deployment request, saves the deployment and returns its id. The deployment runs in the background and
   * replaces pending deployments of the app.
   * @throws DavitError conflict if the image does not exist or there is nothing to deploy; invalid_input if no tag is
   * known; engine_unavailable, registry_unavailable, storage_unavailable
   */
  request(app: AppTarget, ask: DeployRequest): Promise<number>;
  /**
   * Saves a change together with its deployments. If Davit refuses one of the deployments, it does not save the change.
   * @param change makes the change in a SQLite transaction and returns the deployments. Davit calls this function
   * several times. It rolls back every call except the last one.
   * @throws the errors of `request` and of `change`
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
   * Changes the CPU, memory and process limits of an app's running containers without a restart. The project quota must
   * already include the new limits. Containers of a deployment in progress are changed too.
   * @throws DavitError conflict with the error message of Docker; EngineUnavailable
   */
  limit(app: AppTarget): Promise<void>;
  /**
   * Cancels a deployment and waits for its end.
   * @throws DavitError conflict if the deployment has ended or is switching traffic
   */
  cancel(deploymentId: number): Promise<void>;
  /**
   * Stops an app and cancels its deployments. The function returns when HAProxy and the internal DNS send no more
   * requests to the app. If HAProxy is unavailable, Davit removes the app's routes later. The containers stop in the
   * background after their drain time.
   * @throws DavitError conflict if the app has no live release or a deployment is switching traffic
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
   * Removes containers, networks and database rows of all apps that are marked as deleted. Can be repeated after a
   * crash.
   * @param projectId project whose deleted apps are removed. Default: all projects.
   */
  removeDeleted(projectId?: number): Promise<void>;
}
