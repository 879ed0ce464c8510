/**
 * Jobs of a template. A job is a command that runs once in a new container, with the image of its app's live release.
 */
import type { ManifestJob } from '@davit/template';
import { runById } from '../../../db/tables/run.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import { resolveText } from '../plan/references.ts';
import { own, type WantedApp } from '../plan/wanted.ts';
import { appHad } from './apps.ts';
import type { Build } from './build.ts';
import { demandRights } from './context.ts';
import type { DeployState } from './deploy-state.ts';

export type JobMoment = 'install' | 'update';

/**
 * Runs a job of a template in a new container and waits until it ends.
 * @throws TaskFailed if the job fails
 */
export async function runJob(
  build: Build,
  { job, app }: { job: ManifestJob; app: WantedApp },
  signal: AbortSignal,
): Promise<void> {
  const { core, task } = build;
  const known = own(task.state.get<DeployState>().runs ?? {}, job.key);
  const id = known ?? begin(build, job, app);
  await core.runs.ended(id, signal);
  const row = runById(core.store, id);
  if (row?.status === 'succeeded') return;
  const why =
    row?.error ??
    (row?.exit_code == null
      ? 'The result of the job is unknown, because the record of its run was deleted.'
      : `The command exited with code ${row.exit_code}.`);
  throw new TaskFailed(`The job ${job.name} of ${app.reference} did not succeed. ${why}`);
}

function begin(build: Build, job: ManifestJob, app: WantedApp): number {
  const { core, ctx, task, values } = build;
  // Check the permissions again. They may have changed while the job waited for other apps.
  demandRights(task);
  const id = core.runs.begin({
    appId: appHad(build, app.reference).id,
    scheduleId: null,
    command: job.command.map((text) => resolveText(text, values)),
    timeoutS: job.timeout,
    by: ctx.actor.username,
    via: ctx.actor.via,
  });
  const { runs = {} } = task.state.get<DeployState>();
  task.state.set({ runs: { ...runs, [job.key]: id } });
  return id;
}
