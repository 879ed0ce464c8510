/** Every kind of task on object stores, at every step: done twice, failing, dying, cancelled. */
import { StoreCreate } from '@davit/api';
import { lookUp } from '../src/core/lookup.ts';
import {
  createStore,
  exposeStore,
  restoreStore,
  startStore,
  stopStore,
  unexposeStore,
} from '../src/core/managed-store.ts';
import { deleteStore } from '../src/core/store-deletion.ts';
import { STORE } from '../src/objects/managed/resident.ts';
import { residentMatrix } from './support/resident-matrix.ts';

const PLACE = { project: 'shop', environment: 'production' };

residentMatrix({
  kind: STORE,
  further: [],
  create: ({ core, ctx }) => {
    const environment = lookUp(core.store, ctx.actor, 'read', 'environment', PLACE);
    return createStore(core, ctx, environment, StoreCreate.parse({ name: 'files' }));
  },
  start: ({ core, ctx }, row) => startStore(core, ctx, row),
  stop: ({ core, ctx }, row) => stopStore(core, ctx, row),
  expose: ({ core, ctx }, row, input) => exposeStore(core, ctx, row, input),
  unexpose: ({ core, ctx }, row) => unexposeStore(core, ctx, row),
  remove: ({ core, ctx }, row) => deleteStore(core, ctx, row, row.name),
  restore: ({ core, ctx }, row) => restoreStore(core, ctx, row),
});
