import { z } from 'zod';
import { PLATFORM_PROBLEM_CODES } from '../problems/platform.ts';
import { Timestamp } from './common.ts';

export const DISK_STATES = ['ok', 'warning', 'refusing'] as const;
export type DiskState = (typeof DISK_STATES)[number];

const PackageChange = z.object({
  name: z.string().describe('Name of the package.'),
  from: z.string().describe('Version of the package before the update.'),
  to: z
    .string()
    .nullable()
    .describe(
      'Version of the package after the update. `null` if the package repositories no longer have the package.',
    ),
});

export const PlatformCheck = z
  .object({
    enabled: z
      .boolean()
      .describe('Whether Davit checks for security updates every day, as in the setting `platform_images.check`.'),
    running: z
      .boolean()
      .describe('Whether a check for security updates or the installation of updates is in progress.'),
    checked_at: Timestamp.nullable().describe(
      'Time of the last complete check: Davit has checked every image at this time or later. `null` if an image was never checked.',
    ),
    failure: z
      .object({
        code: z
          .enum(PLATFORM_PROBLEM_CODES)
          .describe('Error code with the reason why the check failed. For details, read the log of the Davit daemon.'),
        at: Timestamp.describe('Time when the check failed.'),
      })
      .nullable()
      .describe(
        'Failure of the last check for security updates. `null` if the check succeeded, or if no check has run since the Davit daemon started.',
      ),
  })
  .meta({
    id: 'PlatformCheck',
    description:
      'State of the check for security updates. Davit checks the images of the proxy, registry, DNS resolver and databases.',
  });
export type PlatformCheck = z.infer<typeof PlatformCheck>;

export const PlatformImage = z
  .object({
    name: z.string().describe('Name of the image, such as `haproxy` or `postgres`.'),
    image_id: z
      .string()
      .describe('ID of the image in Docker, `sha256:…`. Davit starts new containers from this image.'),
    packages: z
      .array(z.object({ name: z.string(), version: z.string() }))
      .describe('Linux packages in the image. Empty if an earlier version of Davit built the image.'),
    built_at: Timestamp.describe('Time when Davit built the image.'),
    checked_at: Timestamp.nullable().describe(
      'Time when Davit last checked the packages of the image for updates. `null` if Davit has never checked the image.',
    ),
    update: z
      .object({
        state: z
          .enum(['building', 'rolling_out', 'waiting', 'kept_back'])
          .describe(
            'State of the update of the image. `building`: Davit builds an image with newer packages. `rolling_out`: Davit replaces containers of the old image. `waiting`: databases restart in the next maintenance window. `kept_back`: the new image does not work on this server, so the old image stays in use.',
          ),
        packages: z.array(PackageChange).describe('Packages that the update changes.'),
        databases: z.array(z.string()).describe('Databases that still use an earlier image.'),
      })
      .nullable()
      .describe('Unfinished update of the image. `null` if no update is in progress.'),
  })
  .meta({
    id: 'PlatformImage',
    description: 'Image that Davit builds from packages of the Linux distribution, for example for the proxy.',
  });
export type PlatformImage = z.infer<typeof PlatformImage>;

export const Instance = z
  .object({
    id: z
      .string()
      .describe(
        'Permanent ID of the instance. The names and labels of all Docker objects of the instance contain the ID.',
      ),
    version: z.string().describe('Davit version.'),
    engine: z
      .object({
        kind: z.enum(['docker', 'memory']),
        version: z.string().nullable().describe('Version of Docker. `null` if Docker has not responded yet.'),
        simulated: z.boolean().describe('Whether Davit only simulates Docker and runs no containers.'),
        available: z
          .boolean()
          .describe('Whether Docker responded to the last check by Davit. Davit checks every few seconds.'),
      })
      .describe('State of the container engine, Docker.'),
    domain: z.string().describe('Domain of the instance. The default hosts of apps are subdomains of this domain.'),
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
      .describe(
        'Limits of this instance, for example the maximum size of a request body and the maximum number of replicas of an app.',
      ),
    disk: z
      .object({
        path: z
          .string()
          .describe(
            'Folder that is stored on this disk: the data directory of Davit, or the folder where Docker stores images and volumes.',
          ),
        total_bytes: z
          .int()
          .describe('Size of the disk in bytes, without the space that is reserved for the root user.'),
        free_bytes: z.int(),
        state: z
          .enum(DISK_STATES)
          .describe(
            'State of the disk. `warning`: little space is left. `refusing`: Davit deploys no new releases until space is free.',
          ),
      })
      .nullable()
      .describe('Disk of the instance with the least free space. `null` if Davit has not measured a disk yet.'),
    platform_images: z
      .array(PlatformImage)
      .describe('Images that Davit builds: images of the proxy, registry, DNS resolver and databases.'),
    platform_check: PlatformCheck,
    warnings: z.array(z.string()).describe('Warnings for operators.'),
  })
  .meta({ id: 'DavitInstance' });
export type Instance = z.infer<typeof Instance>;
