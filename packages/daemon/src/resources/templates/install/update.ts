/**
 * HTTP API actions that preview, start and roll back the update of an installation. A rollback is an update to the
 * previous release.
 */
import {
  DavitError,
  invalidField,
  type PlannedResource,
  type Task,
  type TemplateRollback,
  TemplateSource,
  type TemplateUpdate,
  type UpdatePreview,
} from '@davit/api';
import type { OpContext } from '../../../auth/context.ts';
import { projectBySlug } from '../../../db/tables/project.ts';
import type { InstallRow } from '../../../db/tables/template-install.ts';
import type { TemplatesDeps } from '../deps.ts';
import { fitting, whyUnfit } from '../manifest/fits.ts';
import type { Answers } from '../plan/answers.ts';
import { changesOf, engineProblems, type Side } from '../plan/changes.ts';
import { describeChanges, type Overwriting } from '../plan/described-changes.ts';
import { type Planned, planInstall } from '../plan/plan.ts';
import type { Names } from '../plan/wanted.ts';
import { isSameRepository, type Offered } from '../source/offered.ts';
import { demandIdle, demandSum, offeredFor, refuseProblems, startInstallTask, sumProblems } from './actions.ts';
import { admitted } from './apps.ts';
import { demandSameStores, replacedStores, storesCarried } from './chosen.ts';
import { demandDatabases } from './databases.ts';
import { instanceViewOf } from './instance-view.ts';
import { reusedVolumes } from './kept-volumes.ts';
import { overwrittenOf, ownLimitsOf } from './overwritten.ts';
import { lastTask, statusOf } from './present.ts';
import { type Present, presentOnly } from './present-only.ts';
import { type InstalledRelease, type InstallRecord, previousOf, wantedIn } from './record.ts';
import { demandConsent } from './removals.ts';
import { sideOf } from './resolve-release.ts';
import { ownOf } from './retry.ts';
import type { UpdateInput } from './update-kind.ts';

export type PreviewRequest = Omit<TemplateUpdate, 'keep_failed' | 'adopt' | 'remove'>;

/**
 * Returns the changes that an update of an installation would make.
 * @throws DavitError conflict, source_changed, template_invalid, catalog_unavailable
 */
export async function previewUpdate(
  core: TemplatesDeps,
  ctx: OpContext,
  row: InstallRow,
  request: PreviewRequest,
): Promise<UpdatePreview> {
  demandInstalled(core, row);
  const offered = await offeredAgain(core, ctx, row, request);
  const { record, plan, next } = planUpdate(core, ctx, row, offered, request.inputs);
  const { from, to, present } = compared(core, ctx, record, next);
  const changes = describedChanges(core, present, from, to, !request.keep_removed);
  const missing = plan.problems.flatMap(({ field }) => /^inputs\.(.+)$/.exec(field)?.[1] ?? []);
  return {
    ...{
      from: record.origin.release,
      to: offered.origin.release,
      sha256: offered.origin.sha256,
    },
    ...fitting(whyUnfit(offered.manifest, core.facts.version)),
    kept_volumes: reusedVolumes(core.store, ctx.actor, row.id, present.changes),
    ...{ manifest: offered.manifest, changes, inputs: [...new Set(missing)] },
    problems: [...sumProblems(offered, request), ...plan.problems],
  };
}

/**
 * Starts an update of an installed template.
 * @throws DavitError conflict, already_installed, source_changed, template_invalid, invalid_input, catalog_unavailable
 */
export async function update(
  core: TemplatesDeps,
  ctx: OpContext,
  row: InstallRow,
  request: TemplateUpdate,
  wait: boolean,
): Promise<Task> {
  demandInstalled(core, row);
  return updateTo(core, ctx, row, await offeredAgain(core, ctx, row, request), request, wait);
}

/**
 * Starts an update to the template release in the parameter `offered`.
 * @throws DavitError conflict, already_installed, template_invalid, invalid_input
 */
export async function updateTo(
  core: TemplatesDeps,
  ctx: OpContext,
  row: InstallRow,
  offered: Offered,
  { sha256, inputs, remove, keep_removed: keepRemoved, keep_failed: keepFailed, adopt }: TemplateUpdate,
  wait: boolean,
): Promise<Task> {
  demandSum(offered, { sha256 });
  const { record, plan, next } = planUpdate(core, ctx, row, offered, inputs);
  const { sha256: sum, file_id: fileId } = offered.origin;
  const isSameFile = sum === record.origin.sha256 && fileId === record.origin.file_id;
  /*
   * A script, for example in CI, sends the same inputs with every call. If the inputs are unchanged, they must not
   * cause an update.
   */
  const hasSameInputs = Object.keys(inputs).every(
    (key) => Object.hasOwn(record.answers, key) && next.answers[key] === record.answers[key],
  );
  if (isSameFile && hasSameInputs) {
    demandDatabases(core, record);
    throw new DavitError(
      'already_installed',
      `${record.origin.release ?? 'This release'} is already installed. Choose another release.`,
    );
  }
  if (plan.unfit !== null) throw new DavitError('template_invalid', plan.unfit.message);
  refuseProblems(plan.problems);
  const removal = keepRemoved ? false : remove;
  demandConsent(compared(core, ctx, record, next).present.changes, removal);
  const consent = { volumes: adopt.volumes, projects: ctx.actor.projects };
  const input: UpdateInput = { install: row.id, next, remove: removal, keepFailed, adopt: consent };
  return startInstallTask(core, ctx, 'install.update', row, input, wait);
}

/**
 * Starts a rollback of an installed template to the previous release.
 * @throws DavitError conflict if there is no previous release
 */
export async function rollback(
  core: TemplatesDeps,
  ctx: OpContext,
  row: InstallRow,
  { keep_failed: keepFailed }: TemplateRollback,
  wait: boolean,
): Promise<Task> {
  demandInstalled(core, row);
  const previous = previousOf(core, row);
  if (previous === null)
    throw new DavitError('conflict', 'The template installation has no earlier release, so it cannot be rolled back.');
  demandSameStores(core.store, previous);
  const { record, own } = ownOf(core, row);
  const { manifest, answers, names } = previous;
  const request = { manifest, place: record.place, inputs: answers, names, adopt: record.adopt.databases };
  refuseProblems(planInstall(request, instanceViewOf(core, ctx, record.place, own)).problems);
  // A rollback does not change the id of the template file, because the client may have changed this id.
  const next = { ...previous, origin: { ...previous.origin, file_id: record.origin.file_id } };
  const input: UpdateInput = { install: row.id, next, remove: true, keepFailed };
  return startInstallTask(core, ctx, 'install.rollback', row, input, wait);
}

function planUpdate(
  core: TemplatesDeps,
  ctx: OpContext,
  row: InstallRow,
  { manifest, origin, title }: Offered,
  given: Answers,
): { record: InstallRecord; plan: Planned; next: InstalledRelease } {
  const { record, own } = ownOf(core, row);
  const names = pinned(record);
  const inputs = { ...carried(record, manifest.inputs), ...given };
  const adopt = record.adopt.databases;
  const known = Object.fromEntries(
    Object.entries(adopt).filter(([key]) => manifest.databases.some((one) => one.key === key)),
  );
  const request = { manifest, place: record.place, inputs, names: among(names, manifest), adopt: known };
  const plan = planInstall(request, instanceViewOf(core, ctx, record.place, own));
  const { answers, generated } = plan;
  const next = { title, origin, manifest, names, answers, generated };
  const stores = storesCarried(core.store, record, next, given);
  const problems = [
    ...plan.problems,
    ...engineProblems(wantedIn(record), plan.wanted),
    ...replacedStores(core.store, { ...next, stores }),
  ];
  return { record, plan: { ...plan, problems }, next: { ...next, stores } };
}

/**
 * Returns the installed release, the next release, and the differences between the two releases. Considers only
 * resources that still exist.
 */
function compared(
  core: TemplatesDeps,
  ctx: OpContext,
  record: InstallRecord,
  next: InstalledRelease,
): { from: Side; to: Side; present: Present } {
  const side = (release: InstalledRelease) => sideOf(core, ctx, { ...record, ...release });
  const [from, to] = [side(record), side(next)];
  return { from, to, present: presentOnly(core.store, record.id, changesOf(from, to)) };
}

/**
 * Returns the changes of an update, the resources that the update skips, and the user's settings that it overwrites.
 */
function describedChanges(
  core: TemplatesDeps,
  { changes, left }: Present,
  from: Side,
  to: Side,
  removes: boolean,
): PlannedResource[] {
  const overwrites = (change: Overwriting) => {
    if ('patch' in change) return overwrittenOf(core, from, to, change);
    return ownLimitsOf(core, from, change);
  };
  return [...describeChanges(changes, { removes, overwrites }), ...left];
}

/**
 * Returns the current names of an installation's resources. An update does not change these names, even if the new
 * release suggests other names.
 */
function pinned(record: InstallRecord): Names {
  const wanted = wantedIn(record);
  const named = (things: readonly { key: string; name: string }[]) =>
    Object.fromEntries(things.map(({ key, name }) => [key, name]));
  const { databases, stores, apps } = record.names;
  return {
    databases: { ...databases, ...named(wanted.databases) },
    stores: { ...stores, ...named(wanted.stores) },
    apps: { ...apps, ...named(wanted.apps) },
  };
}

/**
 * Returns only the names that belong to resources of the release. The installation stores all names, because a later
 * release may contain the resources again.
 */
function among(names: Names, { databases, stores, apps }: Offered['manifest']): Names {
  const of = (kind: Names['apps'], things: readonly { key: string }[]) =>
    Object.fromEntries(Object.entries(kind).filter(([key]) => things.some((thing) => thing.key === key)));
  return { databases: of(names.databases, databases), stores: of(names.stores, stores), apps: of(names.apps, apps) };
}

/**
 * Returns the user's stored answers, including secrets, for all template inputs with an unchanged type. Users need not
 * answer these inputs again.
 */
function carried({ manifest, answers }: InstallRecord, inputs: Offered['manifest']['inputs']): Record<string, string> {
  const types = new Map(manifest.inputs.map(({ key, type }) => [key, type]));
  const same = inputs.filter(({ key, type }) => types.get(key) === type && answers[key] !== undefined);
  return Object.fromEntries(same.map(({ key }) => [key, answers[key] ?? '']));
}

async function offeredAgain(
  core: TemplatesDeps,
  ctx: OpContext,
  row: InstallRow,
  { release, file, file_id: fileId }: Pick<TemplateUpdate, 'release' | 'file' | 'file_id'>,
): Promise<Offered> {
  const { record } = ownOf(core, row);
  const { kind, owner, name, repository } = record.origin;
  if (file !== undefined && kind !== 'file')
    throw invalidField(
      'file',
      'not_allowed',
      'The template was not installed from a file, so it cannot be updated from a file. Choose a release of the template instead.',
    );
  if (fileId !== undefined && file === undefined)
    throw invalidField(
      'file_id',
      'not_allowed',
      'The field “file_id” needs the field “file” with the new template file.',
    );
  if (file !== undefined) {
    const id = fileId ?? record.origin.file_id ?? undefined;
    return offeredFor(core, ctx, { source: { file, file_id: id } });
  }
  if (kind === 'catalog') {
    return demandSameRepository(record, await offeredFor(core, ctx, { owner: owner ?? '', name: name ?? '', release }));
  }
  if (kind === 'repository' && repository !== null) {
    const ref = release ?? record.origin.release ?? 'HEAD';
    return offeredFor(core, ctx, { source: admitted(TemplateSource, { repository, ref }) });
  }
  throw new DavitError(
    'conflict',
    'The template was installed from a file, so Davit cannot look up other releases. Send the new template file in the field “file”.',
  );
}

/**
 * Checks that a new release comes from the same Git repository as the installed release. Otherwise, another author
 * could get the secrets of the installation.
 * @throws DavitError source_changed
 */
function demandSameRepository({ origin }: InstallRecord, offered: Offered): Offered {
  if (isSameRepository(origin, offered.origin.repository_id)) return offered;
  const name = `${origin.owner}/${origin.name}`;
  throw new DavitError(
    'source_changed',
    `${name} now refers to a different repository than the installed template. Check this repository, then uninstall and install the template again.`,
  );
}

function demandInstalled(core: TemplatesDeps, row: InstallRow): void {
  demandIdle(core.store, row);
  const status = statusOf(row, lastTask(core.store, row.id));
  if (status !== 'installed')
    throw new DavitError(
      'conflict',
      `The installation has the status ${status}, but only an installation with the status installed can be changed.`,
    );
  // Compare project ids, because a new project with other users may have the same name as the deleted project.
  if (row.project_id !== null && projectBySlug(core.store, row.project)?.id !== row.project_id)
    throw new DavitError('conflict', 'This installation cannot be changed, because its project was deleted.');
}
