/** What is asked of installations: plans, and the tasks that carry them out. */
import {
  DavitError,
  type InstallPlan,
  type InstallProblem,
  invalidField,
  isTaskOpen,
  refusedField,
  type Task,
  type TemplateFileInstall,
  type TemplateInstallCreate,
  type TemplateUninstall,
} from '@davit/api';
import type { OpContext } from '../../../auth/context.ts';
import { lookUp } from '../../../authorization/lookup.ts';
import type { Reader } from '../../../db/store.ts';
import { projectBySlug } from '../../../db/tables/project.ts';
import { changeInstall, type InstallRow, insertInstall } from '../../../db/tables/template-install.ts';
import { taskRecord } from '../../tasks/task.ts';
import type { TaskAsk } from '../../tasks/tasks.ts';
import { askWhere } from '../catalog/ask-public.ts';
import type { TemplatesDeps } from '../deps.ts';
import { fitting } from '../manifest/fits.ts';
import { type Planned, planInstall } from '../plan/plan.ts';
import type { InstallTarget } from '../plan/wanted.ts';
import type { Offered } from '../source/offered.ts';
import { offeredBy, type TemplateName } from '../template.ts';
import { rightsOf } from './asker.ts';
import { databaseNumbers, demandSameStores, fieldOf, storeNumbers } from './chosen.ts';
import type { InstallInput } from './install-kind.ts';
import { lastTask, statusOf, subjectOf } from './present.ts';
import { type Adopt, type InstalledRelease, sealAnswers } from './record.ts';
import { ownOf } from './retry.ts';
import { worldOf } from './world.ts';

/** How a template is to be installed, wherever it came from. */
export type HowAsked = Omit<TemplateInstallCreate, 'release'>;

/** What is offered by a catalog, a repository or a file. @throws DavitError not_found, template_invalid, catalog_unavailable */
export async function offeredFor(
  core: TemplatesDeps,
  { signal }: OpContext,
  from: (TemplateName & { release?: string | undefined }) | Pick<TemplateFileInstall, 'source'>,
): Promise<Offered> {
  if (!('source' in from)) return offeredBy(core, from, signal);
  const { offeredByFile } = await import('../source/from-file.ts');
  return offeredByFile(from.source, askWhere(core.isOpenAddress), signal);
}

export function planned(core: TemplatesDeps, ctx: OpContext, offered: Offered, how: HowAsked): InstallPlan {
  const { plan, place } = planOf(core, ctx, offered, how);
  const { unfit, resources, generated, problems } = plan;
  return {
    ...{ origin: offered.origin, manifest: offered.manifest, ...fitting(unfit) },
    ...{ ...place, resources, generated, problems: [...sumProblems(offered, how), ...problems] },
  };
}

/** What was planned is what is carried out: a tag can be moved, and a catalog or a file be another one by then. */
export function sumProblems({ origin }: Offered, { sha256 }: { sha256?: string | undefined }): InstallProblem[] {
  if (sha256 === undefined || sha256 === origin.sha256) return [];
  const message = `The template is not the one that was planned any more, its manifest has the SHA-256 ${origin.sha256} by now: look at its plan again.`;
  return [{ field: 'sha256', code: 'mismatch', message }];
}

/** @throws DavitError conflict when it is another template than was planned */
export function demandSum(offered: Offered, asked: { sha256?: string | undefined }): void {
  const [problem] = sumProblems(offered, asked);
  if (problem !== undefined) throw refusedField(fieldOf(problem), { code: 'conflict' });
}

/**
 * Puts an installation on record and begins it, both or neither.
 * @throws DavitError template_invalid when it does not fit, invalid_input and conflict for what the plan says is wrong;
 * forbidden for a project that the actor does not see, and for a new one by who is limited to some
 */
export async function install(
  core: TemplatesDeps,
  ctx: OpContext,
  offered: Offered,
  how: HowAsked,
  wait: boolean,
): Promise<Task> {
  demandSum(offered, how);
  const { plan, place } = planOf(core, ctx, offered, how);
  if (plan.unfit !== null) throw new DavitError('template_invalid', plan.unfit.message);
  refuseProblems(plan.problems);
  const { origin, manifest, title } = offered;
  const { answers, generated } = plan;
  const stores = storeNumbers(core.store, manifest, answers);
  const release: InstalledRelease = { title, origin, manifest, names: how.names, answers, generated, stores };
  const { username, via, projects } = ctx.actor;
  const { databases, volumes } = how.adopt;
  const adopt: Adopt = { databases, volumes, projects, numbers: databaseNumbers(core.store, databases) };
  const id = core.tasks.start((tx) => {
    const projectId = projectBySlug(tx, place.project)?.id ?? null;
    const row = {
      ...{ title, ...place, project_id: projectId, asked_by: username, asked_via: via },
      ...{ origin: JSON.stringify(origin), manifest: JSON.stringify(manifest) },
      ...{ names: JSON.stringify(how.names), adopt: JSON.stringify(adopt) },
    };
    const number = insertInstall(tx, row, core.now(), (made) => sealAnswers(core, made, release));
    core.store.trail.about({ target: `template-installs/${number}`, ...(projectId !== null && { projectId }) });
    return taskOf(ctx, 'install.install', { id: number, project_id: projectId }, {
      install: number,
      keepFailed: how.keep_failed,
    } satisfies InstallInput);
  });
  return taskRecord(core, ctx, id, wait);
}

/** Takes up one that failed. @throws DavitError conflict for one that did not */
export async function retry(core: TemplatesDeps, ctx: OpContext, row: InstallRow, wait: boolean): Promise<Task> {
  const status = statusOf(row, lastTask(core.store, row.id));
  if (status !== 'failed') throw new DavitError('conflict', `It is ${status}: only one that failed is taken up again.`);
  const { record, own } = ownOf(core, row);
  const { place, manifest, answers, names, adopt } = record;
  demandPlace(core, ctx, place);
  demandSameStores(core.store, record);
  const plan = planInstall(
    { manifest, place, inputs: answers, names, adopt: adopt.databases },
    worldOf(core, ctx, place, own),
  );
  refuseProblems(plan.problems);
  return startInstallTask(
    core,
    ctx,
    'install.install',
    row,
    { install: row.id, keepFailed: true } satisfies InstallInput,
    wait,
  );
}

/** @throws DavitError conflict while something is under way, or when it is removed already; invalid_input */
export async function uninstall(
  core: TemplatesDeps,
  ctx: OpContext,
  row: InstallRow,
  { keep_data: keepData, confirm }: TemplateUninstall,
  wait: boolean,
): Promise<Task> {
  if (row.uninstalled_at !== null) throw new DavitError('conflict', 'It is uninstalled already.');
  const name = `${row.project}/${row.environment}`;
  if (!keepData && confirm !== name) {
    throw invalidField('confirm', 'mismatch', `must be «${name}», since the data goes with it.`);
  }
  return startInstallTask(core, ctx, 'install.uninstall', row, { install: row.id, keepData }, wait);
}

/** A task of an installation that is there. */
export async function startInstallTask(
  core: TemplatesDeps,
  ctx: OpContext,
  kind: `install.${string}`,
  row: InstallRow,
  input: object,
  wait: boolean,
): Promise<Task> {
  const id = core.tasks.start((tx) => {
    // A change of it is in the audit log with the project that it is of.
    changeInstall(tx, row.id, {}, core.now());
    return taskOf(ctx, kind, row, input);
  });
  return taskRecord(core, ctx, id, wait);
}

/** @throws DavitError conflict while a task of it is open, in the words of who asks for another one */
export function demandIdle(db: Reader, row: InstallRow): void {
  const task = lastTask(db, row.id);
  if (task === undefined || !isTaskOpen(task.status)) return;
  throw new DavitError('conflict', `Task ${task.id} (${task.kind}) is at work on it: wait for its end, or cancel it.`);
}

/** What is wrong, with everything in one sentence each: what is taken is a conflict, the rest is the caller’s. */
export function refuseProblems(problems: readonly InstallProblem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const isTaken = problems.every(({ code }) => code === 'taken');
  const message = problems.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join(' ');
  throw new DavitError(isTaken ? 'conflict' : 'invalid_input', message, { fields: problems.map(fieldOf) });
}

function planOf(
  core: TemplatesDeps,
  ctx: OpContext,
  { manifest }: Offered,
  how: HowAsked,
): { plan: Planned; place: InstallTarget } {
  const place = {
    project: how.project ?? manifest.project,
    environment: how.environment ?? manifest.environment,
  };
  demandPlace(core, ctx, place);
  const { inputs, names, adopt } = how;
  const ask = { manifest, place, inputs, names, adopt: adopt.databases };
  return { plan: planInstall(ask, worldOf(core, ctx, place)), place };
}

/**
 * An actor who is limited to projects gets the same answer for a project that he does not see and for one that does not exist.
 * @throws DavitError not_found
 */
function demandPlace({ store }: TemplatesDeps, { actor }: OpContext, { project }: InstallTarget): void {
  const isNew = actor.projects === null && projectBySlug(store, project) === undefined;
  if (!isNew) lookUp(store, actor, 'administer', 'project', { project });
}

/** The caller has checked the user's rights. The task checks them again before each step. */
function taskOf(
  { actor }: OpContext,
  kind: `install.${string}`,
  { id, project_id }: Pick<InstallRow, 'id' | 'project_id'>,
  asked: object,
): TaskAsk {
  const input = { ...asked, asker: rightsOf(actor) };
  return { kind, subject: subjectOf(id), projectId: project_id, input, by: actor.username, via: actor.via };
}
