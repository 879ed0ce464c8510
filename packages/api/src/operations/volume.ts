import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { AppVolume, Volume, VolumeCreate } from '../schemas/volume.ts';
import { AppPath, paging } from './parameters.ts';

const tag = 'Volumes';
const path = '/apps/{project}/{environment}/{app}/volumes';
const volume = z.string().describe('The volume’s number.');
const AppVolumePath = AppPath.extend({ volume });
const VolumeNumber = z.object({ volume });

const sizes = QueryBoolean.optional().describe('Measure the data too, which may take seconds.');
const VolumesQuery = z.strictObject({ ...paging, sizes });
const Confirm = z.strictObject({
  confirm: z.string().max(100).describe('The volume’s name, so that nobody deletes another one by a slip.'),
});

export const listAppVolumes = operation({
  id: 'listAppVolumes',
  method: 'GET',
  path,
  tag,
  summary: 'List what an app keeps between releases',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: VolumesQuery,
  responses: { 200: { description: 'The volumes, by path.', schema: z.array(AppVolume) } },
  tool: {},
});

export const addVolume = operation({
  id: 'addVolume',
  method: 'POST',
  path,
  tag,
  summary: 'Give an app a volume',
  description:
    'Takes effect with the next deploy. An app with a volume runs one instance, and its deploys stop the old release before the new one starts: two must not write to the same files. No deploy and no deletion of an app removes a volume.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  body: VolumeCreate,
  errors: ['quota_exceeded'],
  responses: { 201: { description: 'The volume.', schema: AppVolume, headers: { Location: 'Where it is.' } } },
  tool: {},
});

export const getAppVolume = operation({
  id: 'getAppVolume',
  method: 'GET',
  path: `${path}/{volume}`,
  tag,
  summary: 'Read a volume of an app',
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
    'The next deploy runs without it. Its data stays for the days that the settings name, and can be brought back until then.',
  permission: 'administer',
  scope: 'app',
  effect: 'destroy',
  params: AppVolumePath,
  query: Confirm,
  responses: { 200: { description: 'The volume, in the trash.', schema: Volume } },
});

export const listVolumes = operation({
  id: 'listVolumes',
  method: 'GET',
  path: '/volumes',
  tag,
  summary: 'List every volume of the projects you see',
  description: 'Those of apps, those whose app was deleted, and those in the trash.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: VolumesQuery,
  responses: { 200: { description: 'The volumes, by app and path.', schema: z.array(Volume) } },
  tool: {},
});

export const deleteVolume = operation({
  id: 'deleteVolume',
  method: 'DELETE',
  path: '/volumes/{volume}',
  tag,
  summary: 'Delete a volume that no app has',
  description:
    'A kept one goes to the trash (200). One in the trash is removed at once and for ever, with its data (204).',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: VolumeNumber,
  query: Confirm,
  responses: {
    200: { description: 'It was kept and is in the trash now.', schema: Volume },
    204: { description: 'It was in the trash and is gone.' },
  },
  errors: ['not_found', 'conflict'],
});

export const restoreVolume = operation({
  id: 'restoreVolume',
  method: 'POST',
  path: '/volumes/{volume}/restore',
  tag,
  summary: 'Bring a volume back from the trash',
  description:
    'It is its app’s again, at its path and with the next deploy, where that is still possible; otherwise it is kept and an app can adopt it.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  params: VolumeNumber,
  responses: { 200: { description: 'The volume.', schema: Volume } },
  errors: ['not_found', 'quota_exceeded'],
});
