import { z } from 'zod';
import { PLATFORM_PROBLEM_CODES } from '../platform-problem.ts';
import { Timestamp } from './common.ts';

export const DISK_STATES = ['ok', 'warning', 'refusing'] as const;
export type DiskState = (typeof DISK_STATES)[number];

const PackageChange = z.object({
  name: z.string().describe('Name of the package.'),
  from: z.string().describe('Version before the update.'),
  to: z
    .string()
    .nullable()
    .describe('Version after the update; `null` if the repositories do not have the package any more.'),
});

export const PlatformCheck = z
  .object({
    enabled: z.boolean().describe('Whether Davit checks every day: the setting `platform_images.check`.'),
    running: z.boolean().describe('Whether a check, or the update that follows it, is in progress.'),
    checked_at: Timestamp.nullable().describe(
      'Time of the oldest successful check of an image; `null` if an image was never checked.',
    ),
    failure: z
      .object({
        code: z.enum(PLATFORM_PROBLEM_CODES).describe('Reason. The log of the daemon has the details.'),
        at: Timestamp.describe('Time of the failure.'),
      })
      .nullable()
      .describe('Failure of the last check; `null` if it succeeded or the daemon has not checked since its start.'),
  })
  .meta({ id: 'PlatformCheck', description: 'State of the check for security updates of the platform images.' });
export type PlatformCheck = z.infer<typeof PlatformCheck>;

export const PlatformImage = z
  .object({
    name: z.string().describe('Name, such as `haproxy` or `postgres`.'),
    image_id: z.string().describe('Id of the image at the engine, `sha256:…`. Davit uses the image by this id.'),
    packages: z
      .array(z.object({ name: z.string(), version: z.string() }))
      .describe('Packages of the distribution in the image; empty if an earlier version of Davit made it.'),
    built_at: Timestamp.describe('Time when the image was made.'),
    checked_at: Timestamp.nullable().describe(
      'Time when its packages were last compared with the package repositories; `null` if never.',
    ),
    update: z
      .object({
        state: z
          .enum(['building', 'rolling_out', 'waiting', 'kept_back'])
          .describe(
            '`building`: newer packages exist. `rolling_out`: the new image replaces the earlier one. `waiting`: databases restart in the maintenance window. `kept_back`: the new image does not work on this server; the earlier one stays in use.',
          ),
        packages: z.array(PackageChange).describe('Packages that change.'),
        databases: z.array(z.string()).describe('Databases that still run from an earlier image.'),
      })
      .nullable()
      .describe('Update that is not finished; `null` if there is none.'),
  })
  .meta({ id: 'PlatformImage', description: 'An image that this instance makes from the distribution’s packages.' });
export type PlatformImage = z.infer<typeof PlatformImage>;

export const Instance = z
  .object({
    id: z
      .string()
      .describe(
        'Permanent id of the instance. It is part of the names and labels of everything that the instance creates at the engine.',
      ),
    version: z.string().describe('Davit version.'),
    engine: z
      .object({
        kind: z.enum(['docker', 'memory']),
        version: z.string().nullable().describe('Version of the engine. `null` if the engine has not answered yet.'),
        simulated: z.boolean().describe('Whether the engine is simulated: no containers run.'),
        available: z.boolean().describe('Whether the engine answered the last check, some seconds ago.'),
      })
      .describe('Container engine.'),
    domain: z.string().describe('Domain of the instance. The default hosts of apps are below it.'),
    ports: z
      .object({ http: z.int(), https: z.int(), registry: z.int() })
      .describe('Ports of the proxy and the registry on the server.'),
    limits: z
      .object({
        body_bytes: z.int().describe('Maximum size of a request body in bytes.'),
        slug_length: z.int().describe('Maximum length of the name of a project, environment or app, in characters.'),
        scale: z.int().describe('Maximum number of replicas of an app.'),
        pull_s: z.int().describe('Maximum time to pull an image, in seconds.'),
        release_command_s: z.int().describe('Maximum time of a release command, in seconds.'),
      })
      .describe('Limits of requests and deployments.'),
    disk: z
      .object({
        path: z
          .string()
          .describe('Folder on the disk: the data directory, or the folder of the images and volumes of the engine.'),
        total_bytes: z.int().describe('Size of the disk in bytes, without the space that is reserved for root.'),
        free_bytes: z.int(),
        state: z
          .enum(DISK_STATES)
          .describe(
            'State of the disk. `warning`: little space is left. `refusing`: Davit deploys no new releases until space is free.',
          ),
      })
      .nullable()
      .describe('Disk with the least free space of those that the instance uses. `null` if none was measured yet.'),
    platform_images: z
      .array(PlatformImage)
      .describe('Platform images, which the instance makes itself: proxy, registry, resolver and databases.'),
    platform_check: PlatformCheck,
    warnings: z.array(z.string()).describe('Warnings for operators.'),
  })
  .meta({ id: 'DavitInstance' });
export type Instance = z.infer<typeof Instance>;
