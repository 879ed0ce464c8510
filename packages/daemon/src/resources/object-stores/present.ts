import { type ObjectStore, timestamp } from '@davit/api';
import { storeVariables } from '@davit/template/parts';
import type { OpContext } from '../../auth/context.ts';
import { sees } from '../../authorization/lookup.ts';
import { appsOfStores } from '../../db/tables/attachment.ts';
import type { ManagedStoreRow, StoreRow } from '../../db/tables/object-store.ts';
import { openTasks } from '../../db/tables/task.ts';
import type { ObjectStoresDeps } from './deps.ts';
import { storeStatus } from './status.ts';

export function presentStores(core: ObjectStoresDeps, { actor }: OpContext, rows: readonly StoreRow[]): ObjectStore[] {
  const ids = rows.map(({ id }) => id);
  const seen = appsOfStores(core.store, ids).filter(({ project_id }) => sees(actor, project_id));
  const attached = Map.groupBy(seen, ({ owner_id }) => owner_id);
  const tasks = openTasksOf(core);
  return rows.map((row) => ({
    name: row.name,
    kind: row.kind,
    description: row.description,
    provider: row.kind === 'linked' ? row.provider : null,
    project: row.project,
    environment: row.kind === 'managed' ? row.environment : null,
    endpoint: row.endpoint,
    public_endpoint: publicEndpointOf(core, row),
    region: row.region,
    path_style: row.path_style === 1,
    bucket: row.bucket,
    status: storeStatus(row),
    ...ofManaged(row.kind === 'managed' ? row : null),
    attachments: (attached.get(row.id) ?? []).map(({ app, bucket, prefix }) => ({
      app,
      bucket: bucket ?? '',
      prefix,
      variables: storeVariables(prefix),
    })),
    checked_at: timestamp(row.checked_at),
    task: tasks.get(row.name) ?? null,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  }));
}

/** Returns the public endpoint of an object store, or `null` if the store has none. */
export function publicEndpointOf({ facts }: ObjectStoresDeps, row: StoreRow): string | null {
  if (row.kind === 'linked') return row.public_endpoint;
  return row.port === null ? null : `http://${facts.domain}:${row.port}`;
}

function ofManaged(row: ManagedStoreRow | null) {
  if (row === null)
    return { status_reason: null, version: null, image: null, limits: null, exposed: null, deleted: null };
  const { deleted_at, expires_at } = row;
  return {
    status_reason: row.reason,
    version: row.version,
    image: row.image,
    limits: { cpu: row.cpu, memory_bytes: row.memory_bytes },
    exposed: row.port === null ? null : { port: row.port },
    deleted:
      deleted_at === null || expires_at === null
        ? null
        : { at: timestamp(deleted_at), expires_at: timestamp(expires_at) },
  };
}

function openTasksOf({ store }: ObjectStoresDeps): Map<string, number> {
  const ofStores = openTasks(store).filter(({ subject_kind }) => subject_kind === 'object_store');
  return new Map(ofStores.map(({ id, subject }) => [subject, id]));
}
