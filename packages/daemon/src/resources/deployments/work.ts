import type { AppSpec, DeploymentPhase, DeploymentProblemCode, DeploymentStepName } from '@davit/api';
import type { Logger } from '@davit/service';
import type { FewOfEach } from '@davit/service/few-at-once';
import type { KeyedQueue } from '@davit/service/keyed-queue';
import type { DeploymentRow } from '../../db/tables/deployment.ts';
import type { Mounts } from '../../db/tables/mount.ts';
import type { ReleaseApp } from '../../db/tables/release.ts';
import type { DeploymentsDeps } from './deps.ts';

/** Time limits and delays of a deployment, in milliseconds. */
export interface DeployLimits {
  resolveMs: number;
  pullMs: number;
  releaseCommandMs: number;
  /** Maximum time for which a deployment waits while Docker is unavailable. After this time, the deployment fails. */
  engineAwayMs: number;
  /**
   * Maximum time in milliseconds for which a deployment waits for HAProxy before the traffic is switched to the new
   * containers.
   */
  proxyAwayMs: number;
  /** Time after which a container without a port is treated as ready if the container still runs. */
  workerSettleMs: number;
  /** Shortest delay between two readiness probes of a replica. */
  firstProbeMs: number;
  /** Delay before Davit runs a deployment again because its result could not be saved in the database. */
  takeUpMs: number;
}

export const DEPLOY_LIMITS: DeployLimits = {
  resolveMs: 15_000,
  pullMs: 15 * 60_000,
  releaseCommandMs: 10 * 60_000,
  engineAwayMs: 60_000,
  proxyAwayMs: 30_000,
  workerSettleMs: 3_000,
  firstProbeMs: 25,
  takeUpMs: 5_000,
};

/**
 * Data of a running deployment. The steps save their results in the database, so that another process can continue the
 * deployment after a crash.
 */
export interface Work extends Mounts {
  base: DeploymentsDeps;
  limits: DeployLimits;
  log: Logger;
  /**
   * Queue for each app id, which runs one function at a time. Use this queue for code that creates containers of an app
   * or changes their limits.
   */
  limiting: KeyedQueue<number>;
  /** Limits the number of concurrent image pulls for each project. The key is the project id. */
  pulling: FewOfEach<number>;
  app: ReleaseApp;
  deploymentId: number;
  spec: AppSpec;
  variables: { key: string; value: string }[];
  /** Reads the deployment's current row from the database. */
  row: () => DeploymentRow;
}

/**
 * Idempotent step of a deployment. `undo` must also work if `run` was interrupted. `run` and `undo` must read their
 * state from the database and Docker, because the daemon may have restarted.
 */
export interface Step {
  name: DeploymentStepName;
  phase: DeploymentPhase;
  run(work: Work, signal: AbortSignal): Promise<void>;
  undo?(work: Work): Promise<void>;
  /**
   * `true` if Davit must not repeat a finished step, because the effects of the step are visible outside Davit.
   * Default: `false`.
   */
  once?: boolean;
}

/**
 * Error of a failed deployment step. Davit saves the error message with the deployment. `lines` is the last output of
 * the failed container, and Davit saves this output too.
 */
export class DeployFailed extends Error {
  override name = 'DeployFailed';
  readonly lines: string[];
  /** Error code for the cause of the failure, or `null` if the cause has no error code. */
  readonly code: DeploymentProblemCode | null;

  constructor(message: string, lines: string[] = [], options: ErrorOptions & { code?: DeploymentProblemCode } = {}) {
    super(message, options);
    this.lines = lines;
    this.code = options.code ?? null;
  }
}

/** Abort reason of the signal if a deployment or a repair is canceled. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}
