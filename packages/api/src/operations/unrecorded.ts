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
  summary: 'List orphaned volumes and images',
  description:
    'Returns orphaned volumes and images, which Docker has but the database of Davit does not list. Volumes and images become orphaned if you restore an older copy of the data directory. Requires access to all projects.',
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
  summary: 'Assign an orphaned volume to a project',
  description:
    'An orphaned volume exists in Docker, but the database of Davit does not list the volume. This request makes the volume a detached volume of the project, which no app uses. You can then attach the volume to an app or delete the volume. A volume of a database or object store also becomes a detached volume with files. Instead of assigning an image, deploy its release again. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: UnrecordedAdopt,
  responses: { 200: { description: 'The detached volume.', schema: Volume } },
  errors: ['not_found', 'conflict', 'quota_exceeded'],
});

export const deleteUnrecorded = operation({
  id: 'deleteUnrecorded',
  method: 'DELETE',
  path,
  tag,
  summary: 'Delete an orphaned volume or image',
  description:
    'Davit immediately and permanently deletes a volume or image that Docker has but the database of Davit does not list. Requires access to all projects.',
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
