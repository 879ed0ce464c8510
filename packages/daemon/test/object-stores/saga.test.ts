/** All kinds of object store tasks at every step: run twice, failing, interrupted by a crash, canceled. */
import { StoreCreate } from '@davit/api';
import { lookUp } from '../../src/authorization/lookup.ts';
import { deleteStore } from '../../src/resources/object-stores/deletion.ts';
import { STORE } from '../../src/resources/object-stores/managed/resident.ts';
import {
  createStore,
  exposeStore,
  restoreStore,
  startStore,
  stopStore,
  unexposeStore,
} from '../../src/resources/object-stores/managed-store.ts';
import { residentMatrix } from '../support/resident-matrix.ts';

const PLACE = { project: 'shop', environment: 'production' };

residentMatrix({
  kind: STORE,
  further: [],
  furtherBack: [],
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
