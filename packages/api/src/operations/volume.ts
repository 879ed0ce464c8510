import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { AppVolume, Volume, VolumeCreate } from '../schemas/volume.ts';
import { AppPath, paging } from './parameters.ts';

const tag = 'Volumes';
const path = '/apps/{project}/{environment}/{app}/volumes';
const volume = z.string().describe('ID of the volume.');
const AppVolumePath = AppPath.extend({ volume });
const VolumeNumber = z.object({ volume });

const sizes = QueryBoolean.optional().describe(
  '`true` also measures the size of the data, which can take seconds. Default: `false`.',
);
const VolumesQuery = z.strictObject({ ...paging, sizes });
const Confirm = z.strictObject({
  confirm: z.string().max(100).describe('Name of the volume, repeated to confirm the deletion.'),
});

export const listAppVolumes = operation({
  id: 'listAppVolumes',
  method: 'GET',
  path,
  tag,
  summary: 'List the volumes of an app',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: VolumesQuery,
  responses: { 200: { description: 'Volumes, sorted by path.', schema: z.array(AppVolume) } },
  tool: {},
});

export const addVolume = operation({
  id: 'addVolume',
  method: 'POST',
  path,
  tag,
  summary: 'Add a volume to an app',
  description:
    'The volume takes effect with the next deployment. An app with a volume runs one replica, because two replicas must not write to the same files. A deployment of such an app stops the old release before the new release starts. Deployments and the deletion of the app never remove a volume.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  body: VolumeCreate,
  errors: ['quota_exceeded'],
  responses: {
    201: { description: 'The new volume.', schema: AppVolume, headers: { Location: 'URL of the volume.' } },
  },
  tool: {},
});

export const getAppVolume = operation({
  id: 'getAppVolume',
  method: 'GET',
  path: `${path}/{volume}`,
  tag,
  summary: 'Get a volume of an app',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppVolumePath,
  query: z.strictObject({ sizes }),
  responses: { 200: { description: 'The volume.', schema: AppVolume } },
});

export const removeVolume = operation({
  id: 'removeVolume',
  method: 'DELETE',
  path: `${path}/{volume}`,
  tag,
  summary: 'Move a volume of an app to the trash',
  description:
    'Moves a volume of the app to the trash. The app runs without the volume after its next deployment. You can restore the volume for the number of days in the setting `volumes.trash_days`.',
  permission: 'administer',
  scope: 'app',
  effect: 'destroy',
  params: AppVolumePath,
  query: Confirm,
  responses: { 200: { description: 'The volume in the trash.', schema: Volume } },
});

export const listVolumes = operation({
  id: 'listVolumes',
  method: 'GET',
  path: '/volumes',
  tag,
  summary: 'List volumes',
  description:
    'Returns the volumes of all projects that the caller can access. The list includes volumes of deleted apps and volumes in the trash.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: VolumesQuery,
  responses: { 200: { description: 'Volumes, sorted by app and path.', schema: z.array(Volume) } },
  tool: {},
});

export const deleteVolume = operation({
  id: 'deleteVolume',
  method: 'DELETE',
  path: '/volumes/{volume}',
  tag,
  summary: 'Delete a detached volume',
  description:
    'Moves a detached volume, which no app uses, to the trash (status 200). If the volume is already in the trash, Davit deletes the volume and its data immediately and permanently (status 204).',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: VolumeNumber,
  query: Confirm,
  responses: {
    200: { description: 'The detached volume was moved to the trash.', schema: Volume },
    204: { description: 'The volume was permanently deleted from the trash.' },
  },
  errors: ['not_found', 'conflict'],
});

export const restoreVolume = operation({
  id: 'restoreVolume',
  method: 'POST',
  path: '/volumes/{volume}/restore',
  tag,
  summary: 'Restore a volume from the trash',
  description:
    'Takes a volume out of the trash and attaches it to its previous app at the previous path. The app uses the volume after its next deployment. If the app was deleted or can no longer use the volume, the volume becomes a detached volume. You can then attach it to another app.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  params: VolumeNumber,
  responses: { 200: { description: 'The volume.', schema: Volume } },
  errors: ['not_found', 'quota_exceeded'],
});
