import type { AppSpec, DeploymentPhase, DeploymentProblemCode } from '@davit/api';
import type { Logger } from '@davit/service';
import type { FewOfEach } from '@davit/service/few-at-once';
import type { KeyedQueue } from '@davit/service/keyed-queue';
import type { DeploymentRow } from '../../db/tables/deployment.ts';
import type { Mounts } from '../../db/tables/mount.ts';
import type { ReleaseApp } from '../../db/tables/release.ts';
import type { DeploymentsDeps } from './deps.ts';
import type { StepName } from './plan.ts';

/** Time limits and delays of a deployment, in milliseconds. */
export interface DeployLimits {
  resolveMs: number;
  pullMs: number;
  releaseCommandMs: number;
  /** Time for which a deployment waits if Docker is unavailable. After this time, the deployment fails. */
  engineAwayMs: number;
  /**
   * Maximum time in milliseconds for which a deployment waits for HAProxy before it switches traffic to the new
   * containers.
   */
  proxyAwayMs: number;
  /** Time after which a running container without a port is treated as ready. */
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
 * Data of a running deployment. Steps save results in the database, so that another process can continue the deployment
 * after a crash.
 */
export interface Work extends Mounts {
  base: DeploymentsDeps;
  limits: DeployLimits;
  log: Logger;
  /**
   * Queue per app id, which runs work one at a time. Code that creates containers of an app or changes their limits
   * must use this queue.
   */
  limiting: KeyedQueue<number>;
  /** Limits the number of concurrent pulls for each project. The key is the project id. */
  pulling: FewOfEach<number>;
  app: ReleaseApp;
  deploymentId: number;
  spec: AppSpec;
  variables: { key: string; value: string }[];
  /** Reads the deployment's current row from the database. */
  row: () => DeploymentRow;
}

/**
 * Idempotent deployment step. `undo` must also work after a part of `run`. Both read state only from the database and
 * Docker, never from memory.
 */
export interface Step {
  name: StepName;
  phase: DeploymentPhase;
  run(work: Work, signal: AbortSignal): Promise<void>;
  undo?(work: Work): Promise<void>;
  /** `true` if a finished step must not run again, because its effects are visible outside Davit. Default: `false`. */
  once?: boolean;
}

/**
 * Error of a failed deployment step. Davit saves its message and `lines`, the last output of the failed container, with
 * the deployment.
 */
export class DeployFailed extends Error {
  override name = 'DeployFailed';
  readonly lines: string[];
  /** Error code for the reason of the failure, or `null` if there is no code for this reason. */
  readonly code: DeploymentProblemCode | null;

  constructor(message: string, lines: string[] = [], options: ErrorOptions & { code?: DeploymentProblemCode } = {}) {
    super(message, options);
    this.lines = lines;
    this.code = options.code ?? null;
  }
}

/** Abort reason of the signal if a deployment or repair is canceled. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}
