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
    'Returns orphaned volumes and images, which exist in Docker but not in the database of Davit. This happens if you restore an older copy of the data directory, which contains the database. Requires access to all projects.',
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
    'An orphaned volume exists in Docker, but the database of Davit does not list the volume. This request makes the volume a detached volume of the project, which no app uses. You can then attach the volume to an app or delete the volume. A volume of a database or object store also becomes a detached volume, which contains its data files. You cannot assign an image: deploy its release again instead. Requires access to all projects.',
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
    'Davit immediately and permanently deletes an orphaned volume or image, which exists in Docker but not in the database of Davit. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  query: z.strictObject({
    name: UnrecordedName,
    confirm: z
      .string()
      .max(255)
      .describe('Name of the volume or image, to confirm the deletion. Must be the same as `name`.'),
  }),
  responses: { 204: { description: 'The volume or image was deleted.' } },
  errors: ['not_found', 'conflict'],
});
