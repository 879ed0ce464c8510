import type { AppSpec, DeploymentPhase, WorkProblemCode } from '@davit/api';
import type { Logger } from '@davit/service';
import type { KeyedQueue } from '@davit/service/keyed-queue';
import type { DeploymentRow } from '../../db/tables/deployment.ts';
import type { Mounts } from '../../db/tables/mount.ts';
import type { ReleaseApp } from '../../db/tables/release.ts';
import type { DeploymentsDeps } from './deps.ts';
import type { StepName } from './plan.ts';

/** Bounds of the parts of a deployment, and the pauses of its checks. All in the unit their name says. */
export interface DeployLimits {
  resolveMs: number;
  pullMs: number;
  releaseCommandMs: number;
  /** How long the engine may be away in the middle of a deployment before that fails. */
  engineAwayMs: number;
  /** How long the proxy may be away when the traffic is to be moved. */
  proxyAwayMs: number;
  /** A worker that still runs after this is ready. */
  workerSettleMs: number;
  /** The pause between the first probes. */
  firstProbeMs: number;
  /** The pause before a deployment that could not be recorded is taken up again. */
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
 * One deployment under way. It holds what does not change while it runs; everything that a step finds out it writes to
 * the store, from which the next step, or the next process, reads it.
 */
export interface Work extends Mounts {
  base: DeploymentsDeps;
  limits: DeployLimits;
  log: Logger;
  /** By app: whatever creates its containers or changes their limits. */
  limiting: KeyedQueue<number>;
  app: ReleaseApp;
  deploymentId: number;
  /** Settings and variables of the deployment's revision. */
  spec: AppSpec;
  variables: { key: string; value: string }[];
  /** The row as it is now. */
  row: () => DeploymentRow;
}

/**
 * A named, idempotent piece of a deployment. `run` may be called again after any part of it was done; `undo` after any
 * part of `run`, and more than once. Both find what to do in the store and at the engine, never in memory.
 */
export interface Step {
  name: StepName;
  phase: DeploymentPhase;
  run(work: Work, signal: AbortSignal): Promise<void>;
  undo?(work: Work): Promise<void>;
  /** Not repeated on resume once it has finished: what it does shows outside. */
  once?: boolean;
}

/** A deployment cannot go on. The message is for its record; `lines` are the last of what the culprit wrote. */
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

/** Why a running deployment was told to stop. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}
