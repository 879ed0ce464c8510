/** Commands of a template that run once to their end, each in a container of its own from the live release of its app. */
import type { ManifestJob } from '@davit/template';
import { resolveText } from '../../installs/plan/references.ts';
import { own, type WantedApp } from '../../installs/plan/wanted.ts';
import { runById } from '../../store/run.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import { appOf } from './apps.ts';
import type { Build } from './build.ts';
import type { DeployState } from './deploy.ts';

export type Moment = 'install' | 'update';

/** @throws TaskFailed when it did not end well */
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
  const why = row?.error ?? (row?.exit_code == null ? 'it is gone' : `it ended with ${row.exit_code}`);
  throw new TaskFailed(`The job ${job.name} of ${app.reference} did not succeed: ${why}`);
}

function begin({ core, ctx, task, values }: Build, job: ManifestJob, app: WantedApp): number {
  const id = core.runs.begin({
    appId: appOf(core, app.reference).id,
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
