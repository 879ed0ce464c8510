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
  summary: 'Get the registry of the instance',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'State of the registry.', schema: OwnRegistry } },
  tool: {},
});

export const listRepositories = operation({
  id: 'listRepositories',
  method: 'GET',
  path: '/registry/repositories',
  tag,
  summary: 'List repositories',
  description:
    'Returns the repositories of all projects that the caller can access. The list includes repositories of deleted apps.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Repositories, sorted by name.', schema: z.array(Repository) } },
  tool: {},
});

export const deleteRepository = operation({
  id: 'deleteRepository',
  method: 'DELETE',
  path: '/registry/repositories/{project}/{environment}/{app}',
  tag,
  summary: 'Delete the repository of a deleted app',
  description:
    'Davit deletes the repository and all its releases immediately and permanently. The next garbage collection of the registry frees the disk space. During the request, the registry accepts no pushes for about a second.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: AppPath,
  query: z.strictObject({
    confirm: z
      .string()
      .max(200)
      .describe('Name of the repository, `project/environment/app`, repeated to confirm the deletion.'),
  }),
  responses: { 204: { description: 'The repository was deleted.' } },
  errors: ['not_found', 'conflict'],
});

export const collectRegistry = operation({
  id: 'collectRegistry',
  method: 'POST',
  path: '/registry/collect',
  tag,
  summary: 'Remove unused data from the registry',
  description:
    'Starts the garbage collection of the registry, which Davit also runs at the times in the setting `registry.collect_cron`. Davit never removes images that a live release, a running deployment or a rollback needs, even if their tags now point to other images. The registry accepts no pushes for a moment. Recently pushed data stays until the next garbage collection. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  query: z.strictObject({
    dry_run: QueryBoolean.optional().describe(
      '`true` returns the data that would be removed and removes nothing. Default: `true`.',
    ),
  }),
  responses: {
    200: {
      description: 'Data that would be removed. With `dry_run=false`: data that was removed.',
      schema: RegistryCollection,
    },
  },
});
