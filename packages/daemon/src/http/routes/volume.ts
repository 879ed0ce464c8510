import { operations } from '@davit/api';
import { deleteVolume, listVolumes, restoreVolume } from '../../resources/volumes/trash.ts';
import { addVolume, listAppVolumes, readAppVolume, removeVolume } from '../../resources/volumes/volume.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const volumeRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.listAppVolumes, async ({ ctx, target, query }) =>
    paged(await listAppVolumes(core, ctx, target, query)),
  ),
  bind(operations.addVolume, async ({ ctx, target, body }) => {
    const volume = await addVolume(core, ctx, target, body);
    return created(volume, `/api/apps/${target.reference}/volumes/${volume.id}`);
  }),
  bind(operations.getAppVolume, async ({ ctx, target, params, query }) =>
    ok(await readAppVolume(core, ctx, target, params.volume, query.sizes ?? false)),
  ),
  bind(operations.removeVolume, ({ ctx, target, params, query }) =>
    ok(removeVolume(core, ctx, target, params.volume, query.confirm)),
  ),
  bind(operations.listVolumes, async ({ ctx, query }) => paged(await listVolumes(core, ctx, query))),
  bind(operations.deleteVolume, async ({ ctx, params, query }) => {
    const trashed = await deleteVolume(core, ctx, params.volume, query.confirm);
    return trashed === null ? noContent() : ok(trashed);
  }),
  bind(operations.restoreVolume, ({ ctx, params }) => ok(restoreVolume(core, ctx, params.volume))),
];
