/** The task that deletes a project with its contents, at every step: run twice and interrupted by a crash. */
import { allAppIds } from '../../src/db/tables/app.ts';
import { domainsOfApp } from '../../src/db/tables/domain.ts';
import { allDatabases } from '../../src/db/tables/managed-database.ts';
import { listObjectStores } from '../../src/db/tables/object-store.ts';
import { listProjects } from '../../src/db/tables/project.ts';
import { listInstalls, resourcesOf } from '../../src/db/tables/template-install.ts';
import { listVolumes } from '../../src/db/tables/volume.ts';
import { fullProject, requestDeletion } from '../support/project-deletion.ts';
import type { TaskHarness } from '../support/task-harness.ts';
import { taskMatrix } from '../support/task-matrix.ts';

/** Returns everything that the deletion may change, without values that differ between runs. */
async function snapshot(harness: TaskHarness): Promise<object> {
  const { store } = harness.core;
  return {
    projects: listProjects(store, null).map(({ slug }) => slug),
    domains: allAppIds(store).map((id) => domainsOfApp(store, id).map(({ host }) => host)),
    databases: allDatabases(store).map((row) => [row.name, row.state, row.address, row.deleted_at !== null]),
    stores: listObjectStores(store, null).map((row) => [row.name, row.project, row.deleted_at !== null]),
    volumes: listVolumes(store, null).map(({ app, path, state }) => [app, path, state]),
    installs: listInstalls(store).map((row) => [row.uninstalled_at !== null, row.project_id]),
    resources: listInstalls(store).flatMap(({ id }) => resourcesOf(store, id).map(({ name }) => name)),
    ...(await harness.atEngine()),
  };
}

taskMatrix('deleting a project with its contents', {
  kind: 'project.delete',
  steps: ['apps', 'volumes', 'databases', 'object_stores', 'project'],
  final: ['apps'],
  prepare: fullProject,
  ask: (harness) => requestDeletion(harness),
  snapshot,
});
