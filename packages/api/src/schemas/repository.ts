import { z } from 'zod';
import { REGISTRY_PROBLEM_CODES } from '../registry-problem.ts';
import { Timestamp } from './common.ts';

const CollectionRecord = z.object({
  at: Timestamp.describe('When it ended.'),
  freed_bytes: z.int().nullable().describe('Freed space in bytes, or `null` if you cannot see all projects.'),
  error: z.string().nullable().describe('Why it did not succeed, in a sentence.'),
});

export const OwnRegistry = z
  .object({
    status: z
      .enum(['running', 'read_only', 'unavailable'])
      .describe('`read_only`: it takes no pushes for the moment in which something is removed. Pulls go on.'),
    problem: z.string().nullable().describe('Why nothing can be pushed, in a sentence; null when it can.'),
    problem_code: z.enum(REGISTRY_PROBLEM_CODES).nullable().describe('Code of `problem`, or `null` if there is none.'),
    version: z.string().nullable().describe('Of CNCF Distribution; null while it is not known.'),
    address: z.string().describe('What the name of an image to push begins with.'),
    local_address: z.string().describe('The same on this machine itself, without a domain and without TLS.'),
    repositories: z.int().describe('How many there are of the projects that you see.'),
    bytes: z
      .int()
      .nullable()
      .describe(
        'Size of the registry on the disk in bytes. If you cannot see all projects: the sum of `bytes` of the repositories that you can see. `null` if it is not measured yet.',
      ),
    collection: z
      .object({
        running: z.boolean(),
        last: CollectionRecord.nullable().describe('Null: there has been none.'),
        next_at: Timestamp.nullable().describe('By the setting `registry.collect_cron`; null: not known yet.'),
      })
      .describe('The removal of what nothing needs any more.'),
  })
  .meta({ id: 'OwnRegistry', description: 'The registry that apps are pushed to.' });
export type OwnRegistry = z.infer<typeof OwnRegistry>;

export const Repository = z
  .object({
    name: z
      .string()
      .describe('The reference of the app whose releases are in it, and what its deletion is confirmed with.'),
    app: z.string().nullable().describe('The app; null: it was deleted.'),
    tags: z.int().describe('How many releases it has.'),
    bytes: z
      .int()
      .nullable()
      .describe(
        'What they take, each image by itself: layers that several share are counted with each. Null: not measured yet.',
      ),
    removed_at: Timestamp.nullable().describe('Of one whose app was deleted: from then on a collection removes it.'),
  })
  .meta({ id: 'Repository', description: 'What was pushed for one app.' });
export type Repository = z.infer<typeof Repository>;

export const RegistryCollection = z
  .object({
    dry_run: z.boolean().describe('Nothing was removed: this is what would be.'),
    tags: z
      .array(z.object({ repository: z.string(), tag: z.string() }))
      .describe('Releases beyond the number that is kept of each app.'),
    repositories: z.array(z.string()).describe('Those whose app was deleted long enough ago.'),
    manifests: z.int().describe('Images that no tag names and no release needs.'),
    blobs: z.int().describe('Layers and other files that nothing needs.'),
    freed_bytes: z.int(),
    spared: z
      .array(z.string())
      .describe('Repositories that were pushed to just now: the next collection looks at them.'),
  })
  .meta({ id: 'RegistryCollection' });
export type RegistryCollection = z.infer<typeof RegistryCollection>;
