/**
 * Contents of a project. The deletion of the project deletes some contents, moves some to the trash, and keeps others.
 */
import { hash } from 'node:crypto';
import type { ProjectDeletion, TaskSubjectKind } from '@davit/api';
import { appTarget } from '../../app-spec/app-target.ts';
import { projectIds } from '../../auth/actor.ts';
import type { Actor, OpContext } from '../../auth/context.ts';
import { type ProjectTarget, seesEach, seesUser } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { type AppRow, appsOfProject } from '../../db/tables/app.ts';
import { goodBackups, goodBackupsOfProject } from '../../db/tables/backup.ts';
import { domainsOfApp } from '../../db/tables/domain.ts';
import { environmentsOfProject } from '../../db/tables/environment.ts';
import { databaseReference, databasesOfProject } from '../../db/tables/managed-database.ts';
import { listObjectStores, type StoreRow } from '../../db/tables/object-store.ts';
import { quotaOf } from '../../db/tables/quota.ts';
import { listRegistries, projectsOfRegistry } from '../../db/tables/registry.ts';
import { schedulesOfApp } from '../../db/tables/schedule.ts';
import { openTasks, type TaskRow } from '../../db/tables/task.ts';
import { tcpPortsOfApp } from '../../db/tables/tcp-port.ts';
import { installById, installsOfProject } from '../../db/tables/template-install.ts';
import { listUsers } from '../../db/tables/user.ts';
import { variablesOf, variablesOfMany } from '../../db/tables/variables.ts';
import { listVolumes, volumesOfApp } from '../../db/tables/volume.ts';
import { whyNeededByBackups } from '../object-stores/used-by.ts';
import type { ProjectDeletionDeps } from './deps.ts';

type StoreOutcome = ProjectDeletion['object_stores'][number]['outcome'];

/**
 * Returns the contents of a project that its deletion deletes, moves to the trash or keeps.
 * @param db database, or the transaction that starts the deletion
 */
export function projectContents(
  core: Pick<ProjectDeletionDeps, 'settings'>,
  db: Reader,
  { actor }: OpContext,
  { id, slug }: ProjectTarget,
): ProjectDeletion {
  const { databases, volumes } = core.settings();
  const trash_days = { databases: databases.trash_days, volumes: volumes.trash_days };
  const contents = { ...deletedContents(db, actor, id), trash_days };
  const rows = databasesOfProject(db, id);
  return {
    project: slug,
    /*
     * Omit the backups from the checksum. Scheduled backups change their number, and the deletion keeps all backups.
     */
    checksum: checksumOf({ id, ids: idsIn(db, id), contents }),
    ...contents,
    databases: rows.map((row) => ({
      reference: databaseReference(row),
      engine: row.engine,
      backups: goodBackups(db, row.id).length,
    })),
    kept_backups: goodBackupsOfProject(db, id),
    members: membersOf(db, actor, id),
    problems: problemsOf(db, id),
  };
}

/** Returns the object stores of a project that are not in the trash, sorted by name. */
export function usableStores(db: Reader, projectId: number): StoreRow[] {
  return listObjectStores(db, [projectId]).filter((row) => row.kind === 'linked' || row.deleted_at === null);
}

/**
 * Returns whether the deletion of a project moves an object store to the trash, unlinks it or keeps it. A linked object
 * store with backups stays linked. Otherwise, Davit could not restore the backups.
 */
export function storeOutcome(db: Reader, row: StoreRow): StoreOutcome {
  if (row.kind === 'managed') return 'trash';
  return whyNeededByBackups(db, row, null) === null ? 'unlinked' : 'kept';
}

function deletedContents(db: Reader, actor: Actor, id: number) {
  const apps = appsOfProject(db, id);
  const environments = environmentsOfProject(db, id);
  const unused = listVolumes(db, [id]).filter(({ state }) => state === 'kept');
  return {
    environments: environments.map((row) => row.slug),
    apps: apps.map((row) => appContents(db, row)),
    unused_volumes: unused.map(({ app, path }) => ({ app, path })),
    object_stores: usableStores(db, id).map((row) => ({ name: row.name, outcome: storeOutcome(db, row) })),
    template_installs: installsOfProject(db, id).map((row) => ({ id: row.id, title: row.title })),
    registries: registriesOf(db, actor, id),
    variables:
      variablesOf(db, 'project', id).length +
      variablesOfMany(db, 'environment', idsOf(environments)).length +
      variablesOfMany(db, 'app', idsOf(apps)).length,
    has_quota: quotaOf(db, id) !== undefined,
  };
}

function appContents(db: Reader, row: AppRow): ProjectDeletion['apps'][number] {
  return {
    reference: appTarget(row).reference,
    domains: domainsOfApp(db, row.id).map(({ host }) => host),
    tcp_ports: tcpPortsOfApp(db, row.id).map(({ host_port }) => host_port),
    volumes: volumesOfApp(db, row.id).map(({ path }) => path),
    schedules: schedulesOfApp(db, row.id).length,
  };
}

/** Returns the registry credentials of the project that the user may see. */
function registriesOf(db: Reader, actor: Actor, id: number): ProjectDeletion['registries'] {
  return listRegistries(db).flatMap((row) => {
    const projects = projectsOfRegistry(row);
    if (projects === null || !projects.includes(id) || !seesEach(actor, projects)) return [];
    return [{ host: row.host, is_deleted: projects.length === 1 }];
  });
}

function membersOf(db: Reader, actor: Actor, id: number): string[] {
  const members = listUsers(db).filter((user) => projectIds(user.projects)?.includes(id) && seesUser(actor, user));
  return members.map(({ username }) => username);
}

/**
 * Returns the ids of the project's contents. Names are not enough, because a new database can have the name of a
 * deleted one.
 */
function idsIn(db: Reader, id: number): number[][] {
  return [
    idsOf(environmentsOfProject(db, id)),
    idsOf(appsOfProject(db, id)),
    idsOf(databasesOfProject(db, id)),
    idsOf(usableStores(db, id)),
    idsOf(listVolumes(db, [id]).filter(({ state }) => state !== 'trash')),
  ].map((ids) => ids.sort((a, b) => a - b));
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

function checksumOf(contents: object): string {
  return hash('sha256', JSON.stringify(contents), 'hex');
}

const NOUNS: Record<TaskSubjectKind, string> = {
  database: 'database',
  object_store: 'object store',
  backup: 'backup',
  install: 'template installation',
  project: 'project',
};

function problemsOf(db: Reader, id: number): string[] {
  const tasks = openTasks(db).filter((task) => isOfProject(db, task, id));
  const busy = tasks.map(
    (task) =>
      `Task ${task.id} (${task.kind}) of the ${NOUNS[task.subject_kind]} ${task.subject} is in progress. Wait for its end, or cancel it.`,
  );
  const needed = usableStores(db, id).flatMap((row) =>
    storeOutcome(db, row) === 'trash' ? (whyNeededByBackups(db, row, null) ?? []) : [],
  );
  return [...busy, ...needed];
}

/**
 * Returns whether a task belongs to the project. A task that installs a template into a new project has no project id.
 * The project did not exist at the start of such a task.
 */
function isOfProject(db: Reader, { project_id, subject_kind, subject }: TaskRow, id: number): boolean {
  if (project_id === id) return true;
  return subject_kind === 'install' && installById(db, Number(subject))?.project_id === id;
}
