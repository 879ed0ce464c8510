import { operations } from '@davit/api';
import {
  createBucket,
  deleteBucket,
  deleteFolder,
  deleteObject,
  listBuckets,
  listObjects,
  presignObject,
  readBucket,
} from '../../resources/object-stores/bucket.ts';
import { checkObjectStore } from '../../resources/object-stores/check.ts';
import { deleteObjectStore } from '../../resources/object-stores/deletion.ts';
import {
  createObjectStore,
  exposeObjectStore,
  restoreObjectStore,
  startObjectStore,
  stopObjectStore,
  unexposeObjectStore,
} from '../../resources/object-stores/managed-store.ts';
import {
  linkObjectStore,
  listObjectStoreProviders,
  listObjectStores,
  readStore,
  readStoreCredentials,
} from '../../resources/object-stores/object-store.ts';
import { patchObjectStore } from '../../resources/object-stores/patch.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begunTasks } from './begun-task.ts';

export const storeRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listObjectStores, ({ ctx, query }) => paged(listObjectStores(core, ctx, query))),
  bind(operations.listObjectStoreProviders, ({ ctx, query }) => paged(listObjectStoreProviders(core, ctx, query))),
  bind(operations.linkObjectStore, async ({ ctx, query, body }) => {
    const store = await linkObjectStore(core, ctx, body, query.check ?? true);
    return created(store, `/api/object-stores/${store.name}`);
  }),
  bind(operations.getObjectStore, ({ ctx, target }) => ok(readStore(core, ctx, target))),
  bind(operations.patchObjectStore, async ({ ctx, target, query, body }) =>
    ok(await patchObjectStore(core, ctx, target, body, query.check ?? true)),
  ),
  bind(operations.deleteObjectStore, async ({ ctx, target, query }) => {
    const trashed = await deleteObjectStore(core, ctx, target, query.confirm);
    return trashed === null ? noContent() : ok(trashed);
  }),
  bind(operations.getObjectStoreCredentials, ({ ctx, target }) => ok(readStoreCredentials(core, ctx, target))),
  bind(operations.checkObjectStore, async ({ ctx, target, query }) =>
    ok(await checkObjectStore(core, ctx, target, query.bucket)),
  ),
];

export const managedStoreRoutes = (core: HttpDeps): Binding[] => {
  const begun = begunTasks(core);
  return [
    bind(operations.createObjectStore, ({ ctx, target, query, body }) =>
      begun(ctx, createObjectStore(core, ctx, target, body), query),
    ),
    bind(operations.startObjectStore, ({ ctx, target, query }) =>
      begun(ctx, startObjectStore(core, ctx, target), query),
    ),
    bind(operations.stopObjectStore, ({ ctx, target, query }) => begun(ctx, stopObjectStore(core, ctx, target), query)),
    bind(operations.restoreObjectStore, ({ ctx, target, query }) =>
      begun(ctx, restoreObjectStore(core, ctx, target), query),
    ),
    bind(operations.exposeObjectStore, async ({ ctx, target, query, body }) =>
      begun(ctx, await exposeObjectStore(core, ctx, target, body), query),
    ),
    bind(operations.unexposeObjectStore, ({ ctx, target, query }) =>
      begun(ctx, unexposeObjectStore(core, ctx, target), query),
    ),
  ];
};

export const bucketRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listBuckets, async ({ ctx, target, query }) => paged(await listBuckets(core, ctx, target, query))),
  bind(operations.createBucket, async ({ ctx, target, body }) => {
    const bucket = await createBucket(core, ctx, target, body.name);
    return created(bucket, `/api/object-stores/${target.name}/buckets/${bucket.name}`);
  }),
  bind(operations.getBucket, async ({ ctx, target, params }) =>
    ok(await readBucket(core, ctx, target, params.bucket ?? '')),
  ),
  bind(operations.deleteBucket, async ({ ctx, target, params, query }) => {
    await deleteBucket(core, ctx, target, params.bucket ?? '', query.confirm);
    return noContent();
  }),
  bind(operations.listObjects, async ({ ctx, target, params, query }) =>
    paged(await listObjects(core, ctx, target, params.bucket ?? '', query)),
  ),
  bind(operations.deleteObject, async ({ ctx, target, params, query }) => {
    await deleteObject(core, ctx, target, params.bucket ?? '', query.key);
    return noContent();
  }),
  bind(operations.deleteFolder, async ({ ctx, target, params, query }) =>
    ok(await deleteFolder(core, ctx, target, params.bucket ?? '', query)),
  ),
  bind(operations.presignObject, async ({ ctx, target, params, body }) =>
    ok(await presignObject(core, ctx, target, params.bucket ?? '', body)),
  ),
];
