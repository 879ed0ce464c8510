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
import { checkStore } from '../../resources/object-stores/check.ts';
import { deleteStore } from '../../resources/object-stores/deletion.ts';
import {
  createStore,
  exposeStore,
  restoreStore,
  startStore,
  stopStore,
  unexposeStore,
} from '../../resources/object-stores/managed-store.ts';
import {
  linkStore,
  listStoreProviders,
  listStores,
  readStore,
  readStoreCredentials,
} from '../../resources/object-stores/object-store.ts';
import { patchStore } from '../../resources/object-stores/patch.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';
import { begunTasks } from './begun-task.ts';

export const storeRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listStores, ({ ctx, query }) => paged(listStores(core, ctx, query))),
  bind(operations.listStoreProviders, ({ ctx, query }) => paged(listStoreProviders(core, ctx, query))),
  bind(operations.linkStore, async ({ ctx, query, body }) => {
    const store = await linkStore(core, ctx, body, query.check ?? true);
    return created(store, `/api/stores/${store.name}`);
  }),
  bind(operations.getStore, ({ ctx, target }) => ok(readStore(core, ctx, target))),
  bind(operations.patchStore, async ({ ctx, target, query, body }) =>
    ok(await patchStore(core, ctx, target, body, query.check ?? true)),
  ),
  bind(operations.deleteStore, async ({ ctx, target, query }) => {
    const trashed = await deleteStore(core, ctx, target, query.confirm);
    return trashed === null ? noContent() : ok(trashed);
  }),
  bind(operations.getStoreCredentials, ({ ctx, target }) => ok(readStoreCredentials(core, ctx, target))),
  bind(operations.checkStore, async ({ ctx, target, query }) => ok(await checkStore(core, ctx, target, query.bucket))),
];

export const managedStoreRoutes = (core: HttpDeps): Binding[] => {
  const begun = begunTasks(core);
  return [
    bind(operations.createStore, ({ ctx, target, query, body }) =>
      begun(ctx, createStore(core, ctx, target, body), query),
    ),
    bind(operations.startStore, ({ ctx, target, query }) => begun(ctx, startStore(core, ctx, target), query)),
    bind(operations.stopStore, ({ ctx, target, query }) => begun(ctx, stopStore(core, ctx, target), query)),
    bind(operations.restoreStore, ({ ctx, target, query }) => begun(ctx, restoreStore(core, ctx, target), query)),
    bind(operations.exposeStore, async ({ ctx, target, query, body }) =>
      begun(ctx, await exposeStore(core, ctx, target, body), query),
    ),
    bind(operations.unexposeStore, ({ ctx, target, query }) => begun(ctx, unexposeStore(core, ctx, target), query)),
  ];
};

export const bucketRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listBuckets, async ({ ctx, target, query }) => paged(await listBuckets(core, ctx, target, query))),
  bind(operations.createBucket, async ({ ctx, target, body }) => {
    const bucket = await createBucket(core, ctx, target, body.name);
    return created(bucket, `/api/stores/${target.name}/buckets/${bucket.name}`);
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
