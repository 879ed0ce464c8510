import { z } from 'zod';
import { REGISTRY_PROBLEM_CODES } from '../registry-problem.ts';
import { Timestamp } from './common.ts';

const CollectionRecord = z.object({
  at: Timestamp.describe('Time when the collection ended.'),
  freed_bytes: z.int().nullable().describe('Freed space in bytes, or `null` if you cannot see all projects.'),
  error: z.string().nullable().describe('Reason of the failure in one sentence. `null` if the collection succeeded.'),
});

export const OwnRegistry = z
  .object({
    status: z
      .enum(['running', 'read_only', 'unavailable'])
      .describe(
        'Status of the registry. `read_only`: the registry accepts no pushes while a collection removes data. Pulls work.',
      ),
    problem: z
      .string()
      .nullable()
      .describe('Reason why pushes are not possible, in one sentence. `null` if there is no problem.'),
    problem_code: z.enum(REGISTRY_PROBLEM_CODES).nullable().describe('Code of `problem`, or `null` if there is none.'),
    version: z
      .string()
      .nullable()
      .describe('Version of CNCF Distribution, the registry program. `null` if it is not known yet.'),
    address: z.string().describe('Registry host with port. The name of an image to push starts with it.'),
    local_address: z
      .string()
      .describe('Registry host with port for clients on the server itself, without a domain and TLS.'),
    repositories: z.int().describe('Number of repositories in the projects that you can see.'),
    bytes: z
      .int()
      .nullable()
      .describe(
        'Size of the registry on the disk in bytes. If you cannot see all projects: the sum of `bytes` of the repositories that you can see. `null` if it is not measured yet.',
      ),
    collection: z
      .object({
        running: z.boolean(),
        last: CollectionRecord.nullable().describe('Last collection. `null` if there was none.'),
        next_at: Timestamp.nullable().describe(
          'Time of the next collection, from the setting `registry.collect_cron`. `null` if it is not known yet.',
        ),
      })
      .describe('Collections, which remove data that nothing uses.'),
  })
  .meta({ id: 'OwnRegistry', description: 'Registry of the instance, to which images of apps are pushed.' });
export type OwnRegistry = z.infer<typeof OwnRegistry>;

export const Repository = z
  .object({
    name: z.string().describe('Name of the repository, which is the address of its app: `project/environment/app`.'),
    app: z.string().nullable().describe('Address of the app. `null` if the app was deleted.'),
    tags: z.int().describe('Number of releases.'),
    bytes: z
      .int()
      .nullable()
      .describe(
        'Sum of the sizes of the images in bytes. A layer that several images share is counted for each of them. `null` if it is not measured yet.',
      ),
    removed_at: Timestamp.nullable().describe(
      'Time from which a collection removes the repository, if its app was deleted. `null` otherwise.',
    ),
  })
  .meta({ id: 'Repository', description: 'Repository of one app in the registry of the instance.' });
export type Repository = z.infer<typeof Repository>;

export const RegistryCollection = z
  .object({
    dry_run: z.boolean().describe('Whether this is a preview and nothing was removed.'),
    tags: z
      .array(z.object({ repository: z.string(), tag: z.string() }))
      .describe('Releases that exceed the number of tags kept for each app.'),
    repositories: z.array(z.string()).describe('Repositories of deleted apps whose retention has ended.'),
    manifests: z.int().describe('Number of image manifests without a tag that no release uses.'),
    blobs: z.int().describe('Number of layers and other files that nothing uses.'),
    freed_bytes: z.int(),
    spared: z.array(z.string()).describe('Repositories with a recent push. The next collection includes them.'),
  })
  .meta({ id: 'RegistryCollection' });
export type RegistryCollection = z.infer<typeof RegistryCollection>;
