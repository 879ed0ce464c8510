import type { DeploymentProblemCode, DeploymentStepName } from '@davit/api';
import type { Logger } from '@davit/service';
import type { FewOfEach } from '@davit/service/few-at-once';
import type { KeyedQueue } from '@davit/service/keyed-queue';
import { workProblemCode } from '../../adapters/engine/work-problem.ts';
import { claimMounts } from '../../app-spec/mounts.ts';
import { releaseOf } from '../../app-spec/revision.ts';
import { SealBroken } from '../../db/seal.ts';
import { type DeploymentRow, deploymentById } from '../../db/tables/deployment.ts';
import { moveDeployment, setFailing, takeOverRelease } from '../../db/tables/deployment-life.ts';
import { stepsOfDeployment } from '../../db/tables/deployment-step.ts';
import { instancesOfDeployment, moveInstances, setObserved } from '../../db/tables/instance.ts';
import { appOfRelease, isStopped, liveOf, setLive } from '../../db/tables/release.ts';
import { Interrupted } from '../../workflow/interrupted.ts';
import { followsLive } from './decide.ts';
import type { DeploymentsDeps } from './deps.ts';
import { observedFor } from './observed.ts';
import { plan } from './plan.ts';
import { deploymentFailureReason } from './reason.ts';
import { runSteps, undoSteps } from './saga.ts';
import { Cancelled, DeployFailed, type DeployLimits, type Step, type Work } from './work.ts';

/** Settings, steps and queues that a deployment needs. Tests replace `steps`, for example to make a step fail. */
export interface RunParts {
  limits: DeployLimits;
  steps: Record<DeploymentStepName, Step>;
  log: Logger;
  /**
   * Queue for each app id, which runs one function at a time. Use this queue for code that creates containers of an app
   * or changes their limits.
   */
  limiting: KeyedQueue<number>;
  /** Limits the number of concurrent image pulls for each project. The key is the project id. */
  pulling: FewOfEach<number>;
}

/**
 * Runs a deployment to its end. If the daemon crashes, the next call continues from the state in the database. If the
 * daemon stops, the function returns before the end of the deployment.
 */
export async function runDeployment(
  base: DeploymentsDeps,
  id: number,
  parts: RunParts,
  signal: AbortSignal,
): Promise<void> {
  if (!begin(base, id)) return;
  let work: Work;
  try {
    work = makeWork(base, id, parts);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return failSealed(base, id, parts.log, error);
  }
  const steps = stepsOf(work, parts.steps);
  const { error, error_code: code, cancel_asked } = work.row();
  try {
    if (cancel_asked === 1) throw new Cancelled('cancelled');
    if (error !== null) throw new DeployFailed(error, [], { ...(code && { code }) });
    await runSteps(steps, work, signal);
    if (!succeed(work)) throw new Cancelled('cancelled');
  } catch (failure) {
    if (failure instanceof Interrupted) return;
    await giveUp(work, steps, failure, signal);
  }
  base.nudgeRetirement();
}

/**
 * Marks a pending deployment as running.
 * @returns `true` if the deployment must run, `false` if a user has already canceled it
 */
function begin(base: DeploymentsDeps, id: number): boolean {
  return base.store.tx((tx) => {
    const row = deploymentById(tx, id);
    if (row?.status === 'running') return true;
    if (row?.status !== 'pending') return false;
    const live = liveOf(tx, row.app_id);
    if (followsLive(row.trigger_kind) && live) takeOverRelease(tx, id, live);
    return moveDeployment(tx, row, 'running', { at: base.now() });
  });
}

/**
 * Loads the data that the steps of a deployment need.
 * @throws SealBroken if the variables cannot be decrypted; Cancelled if the app was deleted
 */
export function makeWork(base: DeploymentsDeps, id: number, parts: Omit<RunParts, 'steps'>): Work {
  const { limits, log, limiting, pulling } = parts;
  const row = (): DeploymentRow => {
    const found = deploymentById(base.store, id);
    if (!found) throw new Cancelled('the app of the deployment was deleted');
    return found;
  };
  const { app_id: appId, revision } = row();
  const { spec, variables } = releaseOf(base, appId, revision);
  const app = appOfRelease(base.store, appId);
  if (!app) throw new Cancelled('the app of the deployment was deleted');
  const mounts = claimMounts(base, appId, id);
  return { base, limits, log, limiting, pulling, app, deploymentId: id, spec, variables, ...mounts, row };
}

function stepsOf(work: Work, steps: Record<DeploymentStepName, Step>): Step[] {
  const { base, app, spec } = work;
  const observed = observedFor(base, app.id, work.deploymentId, { image: work.row().image, spec, present: false });
  return plan(observed).map(({ name }) => steps[name]);
}

/**
 * Marks a deployment as failed if its variables cannot be decrypted. Davit cannot continue or undo such a deployment. A
 * background job removes its containers.
 */
function failSealed({ store, now }: DeploymentsDeps, id: number, log: Logger, err: SealBroken): void {
  log.error(
    { deployment: id, err },
    'the variables of a revision cannot be decrypted, because they were changed outside Davit',
  );
  store.tx((tx) => {
    const row = deploymentById(tx, id);
    if (!row) return;
    const begun = instancesOfDeployment(tx, id).map((instance) => instance.id);
    moveInstances(tx, begun, 'starting', 'gone');
    const error = `The variables of revision ${row.revision} cannot be decrypted, because they were changed outside Davit. Set one of them again, then deploy again.`;
    moveDeployment(tx, row, 'failed', { at: now(), error });
  });
}

/**
 * Records that a deployment succeeded and makes it the live release, in one SQLite transaction.
 * @returns `false` if the deployment had already ended
 */
function succeed(work: Work): boolean {
  const { store, now } = work.base;
  const { deploymentId: id, app } = work;
  return store.tx((tx) => {
    if (!moveDeployment(tx, { id, app_id: app.id }, 'succeeded', { at: now() })) return false;
    setLive(tx, app.id, id);
    for (const row of instancesOfDeployment(tx, id)) {
      if (row.observed === 'unknown') setObserved(tx, row.id, { observed: 'running', restarts: 0, startedAt: now() });
    }
    return true;
  });
}

/**
 * Undoes a failed or canceled deployment and saves its result. Davit saves the reason first. If the daemon restarts, it
 * can then continue to undo the deployment.
 */
async function giveUp(work: Work, steps: Step[], failure: unknown, signal: AbortSignal): Promise<void> {
  const { store, now } = work.base;
  const { deploymentId: id, app, log } = work;
  const cancelled = failure instanceof Cancelled;
  const { reason, code, lines } = explain(work, failure);
  store.tx((tx) => setFailing(tx, id, { message: reason, code, lines }));
  try {
    const errors = await undoSteps(steps, work, signal);
    for (const error of errors)
      log.error({ deployment: id, error }, 'a step of a deployment could not be undone; the reconciler cleans up');
  } catch (error) {
    if (error instanceof Interrupted) return;
    throw error;
  }
  store.tx((tx) =>
    moveDeployment(tx, { id, app_id: app.id }, cancelled ? 'cancelled' : 'failed', {
      at: now(),
      error: `${reason}${whatServes(work)}`,
      log: lines.length > 0 ? lines : null,
    }),
  );
}

/**
 * Returns a sentence for users that names the release that receives requests after a failed deployment. If no release
 * receives requests, returns an empty string.
 */
function whatServes({ base: { store }, app, deploymentId }: Work): string {
  const live = liveOf(store, app.id);
  if (!live || live.id === deploymentId) return '';
  if (isStopped(store, app.id)) return ' The app stays stopped.';
  const wasStopped = stepsOfDeployment(store, deploymentId).some(({ name }) => name === 'stop-old');
  return ` Release ${live.tag} ${wasStopped ? 'is running again' : 'is still live'}.`;
}

interface Explanation {
  /**
   * Reason why the deployment failed, as text for users. Davit later appends a sentence about the current live release.
   */
  reason: string;
  code: DeploymentProblemCode | null;
  lines: string[];
}

function explain(work: Work, failure: unknown): Explanation {
  const code = failure instanceof DeployFailed ? failure.code : workProblemCode(failure);
  return { ...inWords(work, failure), code };
}

function inWords(work: Work, failure: unknown): Omit<Explanation, 'code'> {
  const reason = deploymentFailureReason(failure);
  if (reason !== null) return { reason, lines: failure instanceof DeployFailed ? failure.lines : [] };
  work.log.error({ deployment: work.deploymentId, error: failure }, 'a deployment failed because of an internal error');
  return {
    reason: `An internal error occurred in Davit. Find the details of deployment ${work.deploymentId} in the log of the instance.`,
    lines: [],
  };
}
