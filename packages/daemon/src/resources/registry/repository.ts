/** API functions for the instance's registry: its state, its repositories and its garbage collection. */

import { DavitError, type OwnRegistry, type RegistryCollection, type Repository, timestamp } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects, sees } from '../../authorization/lookup.ts';
import { problemFor } from '../../authorization/problem-text.ts';
import type { Reader } from '../../db/store.ts';
import {
  emptyRepository,
  isListed,
  listRepositories as listRows,
  repositoryByName,
  type ShownRepository,
} from '../../db/tables/repository.ts';
import { demandConfirm } from '../../input/confirm.ts';
import { mapPage, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import type { Collection, CollectionRecord } from './collections.ts';
import type { RegistryDeps } from './deps.ts';
import { pushHost } from './push-address.ts';

const DAY_MS = 86_400_000;
const NOT_SERVING =
  'The registry has a problem. An admin with access to all projects can see the reason in the status of the registry.';

export async function readOwnRegistry(core: RegistryDeps, { actor }: OpContext): Promise<OwnRegistry> {
  const { registry, facts, collector, store } = core;
  const { running, readOnly, problem, problemCode, version } = await registry.status();
  const repositories = listRows(store, actor.projects);
  const seesAll = actor.projects === null;
  return {
    status: !running ? 'unavailable' : readOnly ? 'read_only' : 'running',
    // Show the original error only to users with access to all projects. The error can contain names of other projects.
    problem: problemFor(actor.projects, problem, NOT_SERVING),
    problem_code: problemCode,
    version,
    address: pushHost(core),
    local_address: `localhost:${facts.ports.registry}`,
    repositories: repositories.length,
    /*
     * Hide the total size from users who are limited to some projects, because the size includes images of other
     * projects.
     */
    bytes: seesAll ? collector.bytes : bytesOf(repositories),
    collection: {
      running: collector.running,
      last: presentRecord(collector.last(), seesAll),
      next_at: timestamp(collector.nextAt),
    },
  };
}

/** Returns the repositories of the projects that the user can see, sorted by name. */
export function listRepositories(core: RegistryDeps, { actor }: OpContext, query: PageQuery = {}): Page<Repository> {
  const days = core.settings().registry.deleted_days;
  return mapPage(
    pageOf(listRows(core.store, actor.projects), (row) => row.name, query),
    (row) => present(row, days),
  );
}

/**
 * Deletes a repository that belongs to no app, with all images in it.
 * @throws DavitError not_found, invalid_input; conflict if an app uses the repository; RegistryUnavailable
 */
export async function deleteRepository(
  core: RegistryDeps,
  { actor }: OpContext,
  params: Record<string, string>,
  confirm: string,
): Promise<void> {
  const { project = '', environment = '', app = '' } = params;
  const name = `${project}/${environment}/${app}`;
  const row = repositoryByName(core.store, name);
  if (row === undefined || !isSeen(row, actor.projects) || (row.project_id !== null && !sees(actor, row.project_id)))
    throw new DavitError(
      'not_found',
      'This repository does not exist, or you cannot access it. List the repositories.',
    );
  demandConfirm(confirm, name, 'repository');
  demandUnowned(core.store, name);
  core.store.trail.demandRights();
  await core.registry.removeRepositories([name]);
  core.store.tx((tx) => {
    emptyRepository(tx, name);
    tx.event({ kind: 'instance', data: { change: 'registry.repositories' } });
  });
}

/**
 * Runs a garbage collection of the registry. With `dryRun`, only returns the tags and repositories that it would
 * remove.
 * @throws DavitError conflict while another one runs, forbidden; RegistryUnavailable
 */
export async function collectRegistry(
  core: RegistryDeps,
  { actor }: OpContext,
  dryRun: boolean,
): Promise<RegistryCollection> {
  demandAllProjects(actor, 'remove unused images of all projects');
  const done = dryRun ? await core.collector.preview() : await core.collector.collect();
  return presentCollection(done, dryRun);
}

function demandUnowned(db: Reader, name: string): void {
  if (repositoryByName(db, name)?.app_id !== null)
    throw new DavitError(
      'conflict',
      `${name} contains the releases of an app. Delete the app first, or delete single releases.`,
    );
}

/**
 * Returns whether the API shows a repository to the user. Only users with access to all projects can see repositories
 * of deleted projects.
 */
function isSeen(row: ShownRepository, projects: readonly number[] | null): boolean {
  return (row.app_id !== null || isListed(row)) && (projects === null || row.project_id !== null);
}

function present({ name, app_id, tags, releases, bytes, unowned_since }: ShownRepository, days: number): Repository {
  // After a push, Davit knows the new release before it has counted the tags again.
  const counts = { tags: Math.max(tags, releases ?? 0), releases };
  const removedAt = app_id === null && unowned_since !== null ? unowned_since + days * DAY_MS : null;
  return { name, app: app_id === null ? null : name, ...counts, bytes, removed_at: timestamp(removedAt) };
}

/** Returns the total size of repositories in bytes. Returns `null` if the size of a repository is not known yet. */
function bytesOf(repositories: readonly ShownRepository[]): number | null {
  return repositories.reduce<number | null>(
    (sum, { bytes }) => (sum === null || bytes === null ? null : sum + bytes),
    0,
  );
}

function presentRecord(record: CollectionRecord | null, seesAll: boolean): OwnRegistry['collection']['last'] {
  return record && { at: timestamp(record.at), freed_bytes: seesAll ? record.freedBytes : null, error: record.error };
}

function presentCollection(done: Collection, dryRun: boolean): RegistryCollection {
  const { tags, repositories, manifests, blobs, freedBytes, spared } = done;
  return {
    dry_run: dryRun,
    tags: tags.map(({ repository, tag }) => ({ repository, tag })),
    repositories: [...repositories],
    manifests,
    blobs,
    freed_bytes: freedBytes,
    spared,
  };
}
