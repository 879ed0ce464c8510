/** All kinds of object store tasks at every step: run twice, failing, interrupted by a crash, canceled. */
import { ObjectStoreCreate } from '@davit/api';
import { lookUp } from '../../src/authorization/lookup.ts';
import { deleteObjectStore } from '../../src/resources/object-stores/deletion.ts';
import { STORE } from '../../src/resources/object-stores/managed/managed-service.ts';
import {
  createObjectStore,
  exposeObjectStore,
  restoreObjectStore,
  startObjectStore,
  stopObjectStore,
  unexposeObjectStore,
} from '../../src/resources/object-stores/managed-store.ts';
import { managedServiceMatrix } from '../support/managed-service-matrix.ts';

const ENVIRONMENT = { project: 'shop', environment: 'production' };

managedServiceMatrix({
  kind: STORE,
  further: [],
  furtherBack: [],
  create: ({ core, ctx }) => {
    const environment = lookUp(core.store, ctx.actor, 'read', 'environment', ENVIRONMENT);
    return createObjectStore(core, ctx, environment, ObjectStoreCreate.parse({ name: 'files' }));
  },
  start: ({ core, ctx }, row) => startObjectStore(core, ctx, row),
  stop: ({ core, ctx }, row) => stopObjectStore(core, ctx, row),
  expose: ({ core, ctx }, row, input) => exposeObjectStore(core, ctx, row, input),
  unexpose: ({ core, ctx }, row) => unexposeObjectStore(core, ctx, row),
  remove: ({ core, ctx }, row) => deleteObjectStore(core, ctx, row, row.name),
  restore: ({ core, ctx }, row) => restoreObjectStore(core, ctx, row),
});
