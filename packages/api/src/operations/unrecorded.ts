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
  summary: 'List volumes and images of this instance that have no record',
  description:
    'They exist if the data directory was replaced by an older copy: they were created after that copy was made. Requires rights for all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The volumes and images, by name.', schema: z.array(Unrecorded) } },
});

export const adoptUnrecorded = operation({
  id: 'adoptUnrecorded',
  method: 'POST',
  path: `${path}/adopt`,
  tag,
  summary: 'Record a volume that has no record',
  description:
    'The volume becomes a kept volume of the project, with its data: an app can adopt it, or it can be deleted. The volume of a database or object store is recorded in the same way, as files; it does not become a database or store again. Images cannot be adopted: deploy the release again. Requires rights for all projects.',
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
  summary: 'Remove a volume or image that has no record',
  description: 'Removes it immediately and permanently, with its data. Requires rights for all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  query: z.strictObject({
    name: UnrecordedName,
    confirm: z.string().max(255).describe('The same name, repeated as a confirmation.'),
  }),
  responses: { 204: { description: 'The volume or image was removed.' } },
  errors: ['not_found', 'conflict'],
});
