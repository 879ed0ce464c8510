import type { AppSpec, DeploymentPhase, WorkProblemCode } from '@davit/api';
import type { Logger } from '@davit/service';
import type { KeyedQueue } from '@davit/service/keyed-queue';
import type { DeploymentRow } from '../../db/tables/deployment.ts';
import type { Mounts } from '../../db/tables/mount.ts';
import type { ReleaseApp } from '../../db/tables/release.ts';
import type { DeploymentsDeps } from './deps.ts';
import type { StepName } from './plan.ts';

/** Time limits and pauses of a deployment, in milliseconds. */
export interface DeployLimits {
  resolveMs: number;
  pullMs: number;
  releaseCommandMs: number;
  /** Time after which a deployment fails if the engine is unavailable. */
  engineAwayMs: number;
  /** Time for which the step `switch` waits for an unavailable HAProxy. */
  proxyAwayMs: number;
  /** Time after which a running container without a port counts as ready. */
  workerSettleMs: number;
  /** Shortest pause between two readiness probes. */
  firstProbeMs: number;
  /** Pause before a deployment runs again, if its end could not be recorded in the database. */
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
 * Data of a running deployment. It does not change while the deployment runs. Steps pass their results to later steps
 * through the database, so that another process can continue after a crash.
 */
export interface Work extends Mounts {
  base: DeploymentsDeps;
  limits: DeployLimits;
  log: Logger;
  /** Queue, by app id, for all code that creates an app's containers or changes their limits. */
  limiting: KeyedQueue<number>;
  app: ReleaseApp;
  deploymentId: number;
  spec: AppSpec;
  variables: { key: string; value: string }[];
  /** Reads the deployment's current row from the database. */
  row: () => DeploymentRow;
}

/**
 * Idempotent step of a deployment. `run` must work again after a crash at any point, and `undo` after any part of
 * `run`. Both read the state from the database and the engine, never from memory.
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
 * Error that fails a deployment. The message goes into the deployment's record. `lines` has the last output of the
 * failed container.
 */
export class DeployFailed extends Error {
  override name = 'DeployFailed';
  readonly lines: string[];
  /** Code of an image or engine problem, or `null` for any other reason. */
  readonly code: WorkProblemCode | null;

  constructor(message: string, lines: string[] = [], options: ErrorOptions & { code?: WorkProblemCode } = {}) {
    super(message, options);
    this.lines = lines;
    this.code = options.code ?? null;
  }
}

/** Abort reason of a deployment or repair that is canceled. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}
