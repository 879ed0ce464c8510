/**
 * Task that deletes a project with its contents. Each step reads the remaining contents, so all steps can run again
 * after a failure or a crash.
 */
import { DavitError } from '@davit/api';
import type { OpContext } from '../../../auth/context.ts';
import { lookUp, type ProjectTarget } from '../../../authorization/lookup.ts';
import { appsOfProject, markAppDeleted } from '../../../db/tables/app.ts';
import { allDatabases, databasesOfProject } from '../../../db/tables/managed-database.ts';
import { allManagedStores } from '../../../db/tables/managed-store.ts';
import { projectBySlug } from '../../../db/tables/project.ts';
import { taskById } from '../../../db/tables/task.ts';
import { changeInstall, deleteResource, installsOfProject, resourcesOf } from '../../../db/tables/template-install.ts';
import { listVolumes } from '../../../db/tables/volume.ts';
import { takeDown } from '../../../managed-services/container.ts';
import type { ManagedServiceRow } from '../../../managed-services/managed-service.ts';
import { removeNow, removeSoon } from '../../apps/deletion.ts';
import { deleteDatabase, demandNoDatabases } from '../../databases/change.ts';
import { DATABASE } from '../../databases/managed-service.ts';
import { deleteObjectStore } from '../../object-stores/deletion.ts';
import { STORE } from '../../object-stores/managed/managed-service.ts';
import { TaskFailed, type TaskKind, type TaskStep, type TaskWork } from '../../tasks/kind.ts';
import { type RequesterRights, rightsNow } from '../../tasks/requester.ts';
import { toTrash } from '../../volumes/record.ts';
import { storeOutcome, usableStores } from '../contents.ts';
import type { ProjectDeletionDeps } from '../deps.ts';
import { markWholeProjectDeleted } from '../project.ts';

export interface DeletingProject {
  /** Id of the project. The name is not enough, because a new project can have the name of the deleted project. */
  project: number;
  slug: string;
  /** Permissions of the user at the time of the request. */
  requester: RequesterRights;
}

type Work = TaskWork<DeletingProject, ProjectDeletionDeps>;

/**
 * Data for a step of the deletion. It is created after a check that the project exists and that the user may still
 * delete it.
 */
interface Deletion {
  core: ProjectDeletionDeps;
  ctx: OpContext;
  project: ProjectTarget;
  progress: Work['progress'];
}

export const deleteProjectKind: TaskKind<DeletingProject, ProjectDeletionDeps> = {
  kind: 'project.delete',
  steps: () => STEPS,
};

/**
 * Steps of the deletion of a project. Apps are deleted first, because a database or object store cannot be deleted
 * while it is attached to an app.
 */
const STEPS = [
  step('apps', deleteApps),
  step('volumes', trashVolumes),
  step('databases', trashDatabases),
  step('object_stores', removeStores),
  step('project', deleteProject),
];

/** Returns a step that does nothing if the project is already deleted. After a crash, the last step may run again. */
function step(
  name: string,
  run: (deletion: Deletion) => Promise<void>,
): TaskStep<DeletingProject, ProjectDeletionDeps> {
  return {
    name,
    final: true,
    async run(work, signal) {
      const { core, input, progress } = work;
      const row = projectBySlug(core.store, input.slug);
      if (row?.id !== input.project) return;
      const project = { id: row.id, slug: row.slug, createdAt: row.created_at };
      await run({ core, ctx: contextOf(work, signal), project, progress });
    },
  };
}

/**
 * Returns the context of the user who requested the deletion, with the user's current permissions.
 * @throws TaskFailed if the user may not delete the project any more
 */
function contextOf({ core, taskId, input }: Work, signal: AbortSignal): OpContext {
  const row = taskById(core.store, taskId);
  const rights = rightsNow(core.store, input.requester);
  const actor = { username: row?.asked_by ?? 'davit', via: row?.asked_via ?? ('api' as const) };
  try {
    if (rights === null) throw new DavitError('forbidden');
    const ctx = { actor: { ...actor, ...rights }, requestId: `task-${taskId}`, log: core.log, signal };
    lookUp(core.store, ctx.actor, 'administer', 'project', { project: input.slug });
    return ctx;
  } catch (error) {
    if (error instanceof DavitError) throw new TaskFailed(RIGHTS_ENDED, [], { cause: error });
    throw error;
  }
}

const RIGHTS_ENDED =
  'The user who started this task is not allowed to delete the project any more. An admin of the project can delete the rest of it.';

async function deleteApps({ core, project }: Deletion): Promise<void> {
  core.store.tx((tx) => {
    for (const app of appsOfProject(tx, project.id)) markAppDeleted(tx, app.id, core.now());
  });
  await removeNow(core, project);
}

/** Moves the volumes of the deleted apps and other unused volumes of the project to the trash. */
async function trashVolumes({ core, project }: Deletion): Promise<void> {
  core.store.tx((tx) => {
    for (const row of listVolumes(tx, [project.id])) if (row.state === 'kept') toTrash(core, tx, row);
  });
}

async function trashDatabases({ core, ctx, project, progress }: Deletion): Promise<void> {
  const rows = databasesOfProject(core.store, project.id);
  for (const [done, row] of rows.entries()) {
    deleteDatabase(core, ctx, row, row.name);
    progress(done + 1, rows.length, 'databases');
  }
  const hasContainer = trashedWithContainer(project);
  for (const row of allDatabases(core.store)) if (hasContainer(row)) await takeDown(DATABASE, core, row);
}

/** Removes the object stores of the project. Linked object stores that contain backups stay. */
async function removeStores({ core, ctx, project, progress }: Deletion): Promise<void> {
  const rows = usableStores(core.store, project.id).filter((row) => storeOutcome(core.store, row) !== 'kept');
  for (const [done, row] of rows.entries()) {
    await deleteObjectStore(core, ctx, row, row.name);
    progress(done + 1, rows.length, 'object stores');
  }
  const hasContainer = trashedWithContainer(project);
  for (const row of allManagedStores(core.store)) if (hasContainer(row)) await takeDown(STORE, core, row);
}

/**
 * Returns a function that finds databases and object stores in the trash that still have a container. As long as the
 * containers exist, the network of the environment cannot be removed.
 */
function trashedWithContainer(project: ProjectTarget) {
  return (row: ManagedServiceRow & { project_id: number }): boolean =>
    row.project_id === project.id && row.deleted_at !== null && row.container_id !== null;
}

/**
 * Deletes the project with its environments, and marks its template installations as uninstalled.
 * @throws DavitError conflict if the project still has databases; TaskFailed if it still has managed object stores
 */
async function deleteProject({ core, ctx, project }: Deletion): Promise<void> {
  const at = core.now();
  core.store.tx((tx) => {
    demandNoDatabases(databasesOfProject(tx, project.id), project.slug);
    const left = usableStores(tx, project.id).filter(({ kind }) => kind === 'managed');
    if (left.length > 0)
      throw new TaskFailed(`${project.slug} still has the object store ${left[0]?.name}. Delete the project again.`);
    for (const { id } of installsOfProject(tx, project.id)) {
      for (const resource of resourcesOf(tx, id)) deleteResource(tx, resource.id);
      changeInstall(tx, id, { uninstalled_at: at, newer: null, project_id: null }, at);
    }
    markWholeProjectDeleted(tx, project, at);
  });
  await removeSoon(core, ctx, project);
}
