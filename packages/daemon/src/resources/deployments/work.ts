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
  /** Time that the engine may be unavailable during a deployment before the deployment fails. */
  engineAwayMs: number;
  /** Time that the proxy may be unavailable when the traffic moves. */
  proxyAwayMs: number;
  /** Time after which a running worker counts as ready. */
  workerSettleMs: number;
  /** Pause between the first probes. */
  firstProbeMs: number;
  /** Pause before a deployment runs again whose end could not be recorded. */
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
 * Running deployment. Its fields do not change during the run. Steps write their results to the database, from which
 * the next step or the next process reads them.
 */
export interface Work extends Mounts {
  base: DeploymentsDeps;
  limits: DeployLimits;
  log: Logger;
  /** Queue by app id for all code that creates the app's containers or changes their limits. */
  limiting: KeyedQueue<number>;
  app: ReleaseApp;
  deploymentId: number;
  spec: AppSpec;
  variables: { key: string; value: string }[];
  /** Reads the current row of the deployment. */
  row: () => DeploymentRow;
}

/**
 * Named, idempotent step of a deployment. `run` can be called again after any part of it has happened. `undo` can be
 * called several times, after any part of `run`. Both read the state from the database and the engine, never from
 * memory.
 */
export interface Step {
  name: StepName;
  phase: DeploymentPhase;
  run(work: Work, signal: AbortSignal): Promise<void>;
  undo?(work: Work): Promise<void>;
  /** Whether the step must not run again after it has finished, because its effects are visible outside Davit. */
  once?: boolean;
}

/**
 * Failure of a deployment. The message is for the record of the deployment, and `lines` has the last output of the
 * failed container.
 */
export class DeployFailed extends Error {
  override name = 'DeployFailed';
  readonly lines: string[];
  /** Code of the problem with the image or the engine, or `null` for any other reason. */
  readonly code: WorkProblemCode | null;

  constructor(message: string, lines: string[] = [], options: ErrorOptions & { code?: WorkProblemCode } = {}) {
    super(message, options);
    this.lines = lines;
    this.code = options.code ?? null;
  }
}

/** Reason for the abort of a running deployment. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}
