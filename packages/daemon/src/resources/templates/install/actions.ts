/** HTTP API actions that plan, start, restart and uninstall an installation of a template. */
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
import { rightsOf } from '../../tasks/requester.ts';
import { taskRecord } from '../../tasks/task.ts';
import type { TaskRequest } from '../../tasks/tasks.ts';
import { publicFetch } from '../catalog/public-fetch.ts';
import type { TemplatesDeps } from '../deps.ts';
import { fitting } from '../manifest/fits.ts';
import { type Planned, planInstall } from '../plan/plan.ts';
import type { InstallTarget, Names } from '../plan/wanted.ts';
import type { Offered } from '../source/offered.ts';
import { offeredBy, type TemplateName } from '../template.ts';
import { databaseNumbers, demandSameStores, fieldOf, storeNumbers } from './chosen.ts';
import type { InstallInput } from './install-kind.ts';
import { instanceViewOf } from './instance-view.ts';
import { lastTask, statusOf, subjectOf } from './present.ts';
import { type Adopt, type InstalledRelease, sealInstalled } from './record.ts';
import { ownOf } from './retry.ts';

/** Options of an installation that do not depend on the source of the template (catalog, Git repository or file). */
export type InstallChoices = Omit<TemplateInstallCreate, 'release'>;

/**
 * Loads a template from the catalog, a Git repository or a file.
 * @throws DavitError not_found, template_invalid, catalog_unavailable
 */
export async function offeredFor(
  core: TemplatesDeps,
  { signal }: OpContext,
  from: (TemplateName & { release?: string | undefined }) | Pick<TemplateFileInstall, 'source'>,
): Promise<Offered> {
  if (!('source' in from)) return offeredBy(core, from, signal);
  const { offeredByFile } = await import('../source/from-file.ts');
  return offeredByFile(from.source, publicFetch(core.isOpenAddress), signal);
}

export function planned(core: TemplatesDeps, ctx: OpContext, offered: Offered, how: InstallChoices): InstallPlan {
  const { plan, place: target } = planOf(core, ctx, offered, how);
  const { unfit, resources, generated, problems } = plan;
  return {
    ...{ origin: offered.origin, manifest: offered.manifest, ...fitting(unfit) },
    ...{ ...target, resources, generated, problems: [...sumProblems(offered, how), ...problems] },
  };
}

/**
 * Returns a problem if the manifest has changed since the user saw the installation plan. A Git tag can move to another
 * commit, and a catalog or a file can change.
 */
export function sumProblems({ origin }: Offered, { sha256 }: { sha256?: string | undefined }): InstallProblem[] {
  if (sha256 === undefined || sha256 === origin.sha256) return [];
  const message = `The template has changed since the plan: its manifest now has the SHA-256 ${origin.sha256}. Plan the installation again.`;
  return [{ field: 'sha256', code: 'mismatch', message }];
}

/** @throws DavitError conflict if the manifest has changed since the user saw the plan */
export function demandSum(offered: Offered, expected: { sha256?: string | undefined }): void {
  const [problem] = sumProblems(offered, expected);
  if (problem !== undefined) throw refusedField(fieldOf(problem), { code: 'conflict' });
}

/**
 * Inserts an installation and starts the installation task, in one transaction.
 * @throws DavitError template_invalid, invalid_input, conflict, not_found, forbidden
 */
export async function install(
  core: TemplatesDeps,
  ctx: OpContext,
  offered: Offered,
  how: InstallChoices,
  wait: boolean,
): Promise<Task> {
  demandSum(offered, how);
  const { plan, place: target, names } = planOf(core, ctx, offered, how);
  if (plan.unfit !== null) throw new DavitError('template_invalid', plan.unfit.message);
  refuseProblems(plan.problems);
  const { origin, manifest, title } = offered;
  const { answers, generated } = plan;
  const stores = storeNumbers(core.store, manifest, answers);
  const release: InstalledRelease = { title, origin, manifest, names, answers, generated, stores };
  const { username, via, projects } = ctx.actor;
  const { databases, volumes } = how.adopt;
  const adopt: Adopt = { databases, volumes, projects, numbers: databaseNumbers(core.store, databases) };
  const id = core.tasks.start((tx) => {
    const projectId = projectBySlug(tx, target.project)?.id ?? null;
    const row = {
      ...{ title, ...target, project_id: projectId, asked_by: username, asked_via: via },
      ...{ origin: JSON.stringify(origin), names: JSON.stringify(names), adopt: JSON.stringify(adopt) },
    };
    const number = insertInstall(tx, row, core.now(), (made) => sealInstalled(core, made, release));
    core.store.trail.about({ target: `template-installs/${number}`, ...(projectId !== null && { projectId }) });
    return taskOf(ctx, 'install.install', { id: number, project_id: projectId }, {
      install: number,
      keepFailed: how.keep_failed,
    } satisfies InstallInput);
  });
  return taskRecord(core, ctx, id, wait);
}

/**
 * Starts the installation task again after a failure.
 * @throws DavitError conflict if the installation has not failed
 */
export async function retry(core: TemplatesDeps, ctx: OpContext, row: InstallRow, wait: boolean): Promise<Task> {
  const status = statusOf(row, lastTask(core.store, row.id));
  if (status !== 'failed')
    throw new DavitError(
      'conflict',
      `The installation has the status ${status}, but only a failed installation can be tried again.`,
    );
  const { record, own } = ownOf(core, row);
  const { place: target, manifest, answers, names, adopt } = record;
  demandInstallRights(core, ctx, target);
  demandSameStores(core.store, record);
  const plan = planInstall(
    { manifest, place: target, inputs: answers, names, adopt: adopt.databases },
    instanceViewOf(core, ctx, target, own),
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

/**
 * Starts the task that uninstalls a template.
 * @throws DavitError invalid_input; conflict while a task runs or if the template is uninstalled
 */
export async function uninstall(
  core: TemplatesDeps,
  ctx: OpContext,
  row: InstallRow,
  { keep_data: keepData, confirm }: TemplateUninstall,
  wait: boolean,
): Promise<Task> {
  if (row.uninstalled_at !== null) throw new DavitError('conflict', 'The template was already uninstalled.');
  const name = `${row.project}/${row.environment}`;
  if (!keepData && confirm !== name) {
    throw invalidField('confirm', 'mismatch', `must be “${name}”, because uninstalling also deletes the data.`);
  }
  return startInstallTask(core, ctx, 'install.uninstall', row, { install: row.id, keepData }, wait);
}

/** Starts a task for an installed template, for example an update. */
export async function startInstallTask(
  core: TemplatesDeps,
  ctx: OpContext,
  kind: `install.${string}`,
  row: InstallRow,
  input: object,
  wait: boolean,
): Promise<Task> {
  const id = core.tasks.start((tx) => {
    // Update the time of the last change, and publish a change event for the users of the installation's project.
    changeInstall(tx, row.id, {}, core.now());
    return taskOf(ctx, kind, row, input);
  });
  return taskRecord(core, ctx, id, wait);
}

/** @throws DavitError conflict while a task of the installation is open */
export function demandIdle(db: Reader, row: InstallRow): void {
  const task = lastTask(db, row.id);
  if (task === undefined || !isTaskOpen(task.status)) return;
  throw new DavitError(
    'conflict',
    `Task ${task.id} (${task.kind}) of this installation is in progress. Wait for its end, or cancel it.`,
  );
}

/**
 * Throws one error with all problems of an installation plan. The error code is `conflict` if every problem has the
 * code `taken`, otherwise `invalid_input`.
 */
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
  how: InstallChoices,
): { plan: Planned; place: InstallTarget; names: Names } {
  const target = {
    project: how.project ?? manifest.project,
    environment: how.environment ?? manifest.environment,
  };
  demandInstallRights(core, ctx, target);
  const { inputs, adopt } = how;
  const { databases, object_stores: stores, apps } = how.names;
  const names = { databases, stores, apps };
  const request = { manifest, place: target, inputs, names, adopt: adopt.databases };
  return { plan: planInstall(request, instanceViewOf(core, ctx, target)), place: target, names };
}

/**
 * Checks that the user may install templates in a project. The error for a hidden project is the same as for a missing
 * project.
 * @throws DavitError not_found, forbidden
 */
function demandInstallRights({ store }: TemplatesDeps, { actor }: OpContext, { project }: InstallTarget): void {
  const isNew = actor.projects === null && projectBySlug(store, project) === undefined;
  if (!isNew) lookUp(store, actor, 'administer', 'project', { project });
}

/**
 * Returns a request for a task with the user's permissions. The caller has checked these permissions. The task checks
 * them again before each step.
 */
function taskOf(
  { actor }: OpContext,
  kind: `install.${string}`,
  { id, project_id }: Pick<InstallRow, 'id' | 'project_id'>,
  fields: object,
): TaskRequest {
  const input = { ...fields, asker: rightsOf(actor) };
  return { kind, subject: subjectOf(id), projectId: project_id, input, by: actor.username, via: actor.via };
}
