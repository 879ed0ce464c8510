import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { OwnRegistry, RegistryCollection, Repository } from '../schemas/repository.ts';
import { AppPath, paging } from './parameters.ts';

const tag = 'Registry';

export const getOwnRegistry = operation({
  id: 'getOwnRegistry',
  method: 'GET',
  path: '/registry',
  tag,
  summary: 'Read the state of the instance’s own registry',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'The registry.', schema: OwnRegistry } },
  tool: {},
});

export const listRepositories = operation({
  id: 'listRepositories',
  method: 'GET',
  path: '/registry/repositories',
  tag,
  summary: 'List the repositories of the projects you see',
  description: 'Those of apps, and those whose app was deleted.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The repositories, by name.', schema: z.array(Repository) } },
  tool: {},
});

export const deleteRepository = operation({
  id: 'deleteRepository',
  method: 'DELETE',
  path: '/registry/repositories/{project}/{environment}/{app}',
  tag,
  summary: 'Delete a repository whose app is gone',
  description:
    'With all its releases, at once and for ever; its bytes are freed by the collection that follows. The registry takes no pushes for about a second.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: AppPath,
  query: z.strictObject({
    confirm: z.string().max(200).describe('The repository’s name, so that nobody deletes another one by a slip.'),
  }),
  responses: { 204: { description: 'It is gone.' } },
  errors: ['not_found', 'conflict'],
});

export const collectRegistry = operation({
  id: 'collectRegistry',
  method: 'POST',
  path: '/registry/collect',
  tag,
  summary: 'Remove what nothing in the registry needs',
  description:
    'Happens by itself at the times of the setting `registry.collect_cron`. What a live release, a release to go back to or a running deployment needs is never removed, whatever its tag names by now. The registry takes no pushes for a moment; what was pushed just now is left for the next time.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  query: z.strictObject({
    dry_run: QueryBoolean.optional().describe('Absent: true. Only `false` removes anything.'),
  }),
  responses: { 200: { description: 'What went, or would go.', schema: RegistryCollection } },
});
