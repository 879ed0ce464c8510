/**
 * Deploys the apps of an installation. An app without dependencies starts at once. Any other app starts after its
 * dependencies are ready.
 */
import type { Trigger } from '@davit/api';
import { deploymentById } from '../../../db/tables/deployment.ts';
import { TaskFailed } from '../../tasks/kind.ts';
import type { AppChange } from '../plan/changes.ts';
import { own, type Wanted, type WantedApp } from '../plan/wanted.ts';
import { appHad, appOf } from './apps.ts';
import { appBeforeOf, type Before } from './before.ts';
import type { Build } from './build.ts';
import { demandRights } from './context.ts';
import type { DeployState } from './deploy-state.ts';
import { type JobMoment, runJob } from './jobs.ts';

export interface DeployAll {
  /** Keys of the apps that the task deploys. The task does not deploy other apps of the template. */
  apps: ReadonlySet<string>;
  moment: JobMoment;
}

/**
 * Deploys the apps and runs the jobs of an installation or update.
 * @throws TaskFailed with the name of the first failed app and its last log lines
 */
export async function deployAll(build: Build, { apps, moment }: DeployAll, signal: AbortSignal): Promise<void> {
  const { wanted, task } = build;
  const jobs = wanted.jobs.filter(
    ({ key, on, app }) => isDue(on, moment) && !(on !== 'update' && isOwn(wanted, app, key)),
  );
  const nodes = new Map<string, { after: readonly string[]; run: () => Promise<void> }>();
  for (const app of wanted.apps) {
    const run = () => (apps.has(app.key) ? deployApp(build, app, signal) : Promise.resolve());
    // Do not wait for jobs that run in the app itself. The app's deployment runs these jobs as its release command.
    nodes.set(app.key, { after: app.after.filter((key) => !isOwn(wanted, app.key, key)), run });
  }
  for (const job of jobs) {
    const app = wanted.apps.find(({ key }) => key === job.app);
    if (app === undefined) continue;
    nodes.set(job.key, { after: [job.app, ...job.depends_on], run: () => runJob(build, { job, app }, signal) });
  }
  let done = 0;
  const started = new Map<string, Promise<void>>();
  const start = (key: string): Promise<void> => {
    const node = nodes.get(key);
    // Do not wait for an app or job whose condition in the template is false, because it is not installed.
    if (node === undefined) return Promise.resolve();
    const going = started.get(key) ?? begin(node.after, node.run);
    started.set(key, going);
    return going;
  };
  const begin = async (after: readonly string[], run: () => Promise<void>) => {
    await Promise.all(after.map(start));
    signal.throwIfAborted();
    await run();
    done += 1;
    task.progress(done, nodes.size, 'apps');
  };
  await settleAll([...nodes.keys()].map(start));
}

/**
 * Returns whether an app depends on a job that runs in the same app. During an installation, the app's deployment runs
 * the job as its release command.
 */
function isOwn({ apps, jobs }: Wanted, appKey: string, jobKey: string): boolean {
  const app = apps.find(({ key }) => key === appKey);
  return app?.after.includes(jobKey) === true && jobs.some((job) => job.key === jobKey && job.app === appKey);
}

function isDue(on: 'install' | 'update' | 'always', moment: JobMoment): boolean {
  return on === 'always' || on === moment;
}

/**
 * Waits for the end of all deployments and jobs, even if one fails. The undo must not start while a deployment or job
 * is running.
 */
async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function deployApp(build: Build, wanted: WantedApp, signal: AbortSignal): Promise<void> {
  const { core, task } = build;
  const { key, reference } = wanted;
  const { deployments = {} } = task.state.get<DeployState>();
  const id = own(deployments, key) ?? (await request(build, wanted));
  await core.deploys.ended(id, signal);
  const row = deploymentById(core.store, id);
  if (row?.status === 'succeeded') return;
  if (row?.superseded_by != null) return followSuperseded(build, reference, row.superseded_by, signal);
  const lines = row?.log == null ? [] : (JSON.parse(row.log) as string[]);
  throw new TaskFailed(
    `${reference} could not be deployed: ${row?.error ?? 'The deployment does not exist anymore.'}`,
    lines,
  );
}

/**
 * Waits for a user's newer deployment if it replaced the deployment of the task. If the newer deployment fails, the
 * task fails too.
 */
async function followSuperseded({ core }: Build, reference: string, id: number, signal: AbortSignal) {
  await core.deploys.ended(id, signal);
  const row = deploymentById(core.store, id);
  if (row?.status !== 'succeeded') throw new TaskFailed(`${reference} could not be deployed: ${row?.error ?? ''}`);
}

async function request(build: Build, { key, reference, create }: WantedApp): Promise<number> {
  const { core, task } = build;
  const { actor } = build.ctx;
  // Check the permissions again, because they may have changed while the app waited for other apps.
  demandRights(task);
  const trigger: Trigger = { kind: 'template', by: actor.username, via: actor.via };
  const id = await core.deploys.request(appHad(build, reference), { tag: create.tag ?? 'latest', trigger });
  const { deployments = {} } = task.state.get<DeployState>();
  task.state.set({ deployments: { ...deployments, [key]: id } });
  return id;
}

/**
 * Deploys apps with their earlier tag after an undone update. Skips an app if the update did not deploy it and its
 * containers still have the old settings.
 */
export async function deployAgain(
  { core, ctx, task }: Build,
  changes: readonly AppChange[],
  before: Before,
): Promise<void> {
  const { deployments = {} } = task.state.get<DeployState>();
  for (const { to: wanted, from } of changes) {
    const app = appOf(core, wanted.reference);
    const isChanged = Object.hasOwn(deployments, wanted.key) || (app.liveRevision ?? 0) < app.settingsRevision;
    if (app.liveRevision === null || !isChanged) continue;
    const trigger = { kind: 'template', by: ctx.actor.username, via: ctx.actor.via } as const;
    const tag = appBeforeOf(before, wanted.key)?.tag ?? from.create.tag ?? 'latest';
    const id = await core.deploys.request(app, { tag, trigger });
    await core.deploys.ended(id, ctx.signal);
  }
}
