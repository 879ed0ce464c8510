import { z } from 'zod';
import { REGISTRY_PROBLEM_CODES } from '../problems/registry.ts';
import { Timestamp } from './common.ts';

const CollectionRecord = z.object({
  at: Timestamp.describe('Time when the garbage collection finished.'),
  freed_bytes: z.int().nullable().describe('Freed disk space in bytes. `null` if you cannot see all projects.'),
  error: z
    .string()
    .nullable()
    .describe('Reason why the garbage collection failed, in one sentence. `null` if the garbage collection succeeded.'),
});

export const OwnRegistry = z
  .object({
    status: z
      .enum(['running', 'read_only', 'unavailable'])
      .describe(
        'Status of the registry. `read_only`: the registry accepts pulls but no pushes during the garbage collection.',
      ),
    problem: z
      .string()
      .nullable()
      .describe('Reason why pushes are not possible, in one sentence. `null` if there is no problem.'),
    problem_code: z
      .enum(REGISTRY_PROBLEM_CODES)
      .nullable()
      .describe('Error code for the problem in the field `problem`. `null` if there is no problem.'),
    version: z
      .string()
      .nullable()
      .describe('Version of CNCF Distribution, the software of the registry. `null` if the version is not known yet.'),
    address: z
      .string()
      .describe('Host and port of the registry. The name of an image that you push starts with this host and port.'),
    local_address: z
      .string()
      .describe(
        'Host and port of the registry for clients that run on the server itself, such as `docker push`. The connection needs no domain and uses no TLS.',
      ),
    repositories: z
      .int()
      .describe(
        'Number of repositories in the registry. Repositories of projects that you cannot see are not counted.',
      ),
    bytes: z
      .int()
      .nullable()
      .describe(
        'Size of the registry on the disk in bytes. A layer that several repositories share is counted once. If you cannot see all projects: the sum of the sizes of the repositories that you can see. `null` if Davit has not measured the size yet.',
      ),
    collection: z
      .object({
        running: z.boolean(),
        last: CollectionRecord.nullable().describe(
          'Result of the last garbage collection. `null` if no garbage collection has run yet.',
        ),
        next_at: Timestamp.nullable().describe(
          'Time of the next garbage collection, from the setting `registry.collect_cron`. `null` if the time is not known yet.',
        ),
      })
      .describe('Garbage collection of the registry, which removes unused data.'),
  })
  .meta({ id: 'OwnRegistry', description: 'Registry of the instance, to which images of apps are pushed.' });
export type OwnRegistry = z.infer<typeof OwnRegistry>;

export const Repository = z
  .object({
    name: z.string().describe('Name of the repository. The name is the address of the app: `project/environment/app`.'),
    app: z.string().nullable().describe('Address of the app. `null` if the app was deleted.'),
    tags: z.int().describe('Number of tags in the repository: releases, and tags of other content such as signatures.'),
    releases: z
      .int()
      .nullable()
      .describe('Number of releases (tags of container images) of the app. `null` if the app was deleted.'),
    bytes: z
      .int()
      .nullable()
      .describe(
        'Size of the repository on the disk in bytes. A layer that several images of the repository share is counted once. `null` if Davit has not measured the size yet.',
      ),
    removed_at: Timestamp.nullable().describe(
      'Time when the repository of a deleted app expires. The next garbage collection after this time removes the repository. `null` if the app exists.',
    ),
  })
  .meta({ id: 'Repository', description: 'Repository of one app in the registry of the instance.' });
export type Repository = z.infer<typeof Repository>;

export const RegistryCollection = z
  .object({
    dry_run: z.boolean().describe('Whether this is only a preview. If `true`, Davit removed nothing.'),
    tags: z
      .array(z.object({ repository: z.string(), tag: z.string() }))
      .describe(
        'Releases that Davit removes because the app has more tags than the setting `registry.keep_tags` allows.',
      ),
    repositories: z
      .array(z.string())
      .describe(
        'Repositories that Davit removes because their apps were deleted and the retention (`registry.deleted_days`) has ended.',
      ),
    manifests: z.int().describe('Number of removed image manifests. They had no tag, and no release used them.'),
    blobs: z.int().describe('Number of removed layers and other files. No image used them.'),
    freed_bytes: z.int(),
    spared: z.array(z.string()).describe('Repositories that this garbage collection skipped because of a recent push.'),
  })
  .meta({ id: 'RegistryCollection' });
export type RegistryCollection = z.infer<typeof RegistryCollection>;
