import { z } from 'zod';
import { operation } from '../operation.ts';
import { Unrecorded, UnrecordedAdopt, UnrecordedName } from '../schemas/unrecorded.ts';
import { Volume } from '../schemas/volume.ts';
import { paging } from './parameters.ts';

const tag = 'Unrecorded data';
const path = '/unrecorded';

export const listUnrecorded = operation({
  id: 'listUnrecorded',
  method: 'GET',
  path,
  tag,
  summary: 'List volumes and images without a record',
  description:
    'Volumes and images have no record if the data directory was replaced by an older copy. Davit created these volumes and images after the copy was made. Requires rights for all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Volumes and images, sorted by name.', schema: z.array(Unrecorded) } },
});

export const adoptUnrecorded = operation({
  id: 'adoptUnrecorded',
  method: 'POST',
  path: `${path}/adopt`,
  tag,
  summary: 'Adopt a volume without a record',
  description:
    'The volume becomes a kept volume of the project, with its data. Then an app can adopt the volume, or the volume can be deleted. The volume of a database or object store also becomes a kept volume with files, and not a database or object store again. Images cannot be adopted; deploy the release again instead. Requires rights for all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: UnrecordedAdopt,
  responses: { 200: { description: 'The kept volume.', schema: Volume } },
  errors: ['not_found', 'conflict', 'quota_exceeded'],
});

export const deleteUnrecorded = operation({
  id: 'deleteUnrecorded',
  method: 'DELETE',
  path,
  tag,
  summary: 'Delete a volume or image without a record',
  description:
    'Davit deletes the volume or image and its data immediately and permanently. Requires rights for all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  query: z.strictObject({
    name: UnrecordedName,
    confirm: z.string().max(255).describe('Value of `name`, repeated as a confirmation.'),
  }),
  responses: { 204: { description: 'The volume or image was deleted.' } },
  errors: ['not_found', 'conflict'],
});
