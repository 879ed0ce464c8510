import { z } from 'zod';
import { DEPLOYMENT_PROBLEM_CODES } from '../problems/work.ts';
import { APP_STATUSES, IMAGE_PORT, REPLICA_STATES } from '../states/app.ts';
import { APP_PIDS, FEWEST_PIDS, MAX_REPLICAS } from '../states/app-limits.ts';
import { DEPLOYMENT_STATUSES } from '../states/deployment.ts';
import { AppFileShown, AppFiles } from './app-file.ts';
import { AppAttachment } from './attachment.ts';
import { Argument, ImageRepository, Port, Slug, TagOrDigest, Timestamp } from './common.ts';
import { AppDomain } from './domain.ts';
import { Labels } from './label.ts';
import { Cpu, memoryBytes } from './limits.ts';
import { partial } from './partial.ts';
import { TcpPort } from './tcp-port.ts';
import { AppVolume } from './volume.ts';

/** Returns the reference of an app: `project/environment/app`. */
export function appReference(project: string, environment: string, app: string): string {
  return `${project}/${environment}/${app}`;
}

export const AppSource = z
  .enum(['image', 'registry', 'external'])
  .describe(
    'Source of the image. `image`: an image from any registry, or an image that Docker already has. `registry`: an image that you push to the registry of this instance. `external`: another name for `image`.',
  );

const HealthPath = z
  .string()
  .max(255)
  .regex(/^\/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*$/, 'must start with “/” and have no query or fragment')
  .nullable();

/** Settings of an app's health check. Each field has a default, so `{}` is valid. */
export const Health = z
  .strictObject({
    path: HealthPath.default(null).describe(
      'Path of the health check. A replica is ready if a GET request for this path returns a 2xx status. `null`: Davit uses the HEALTHCHECK of the image, or a TCP connection if the image has no HEALTHCHECK.',
    ),
    interval_ms: z
      .int()
      .min(25)
      .max(60_000)
      .default(500)
      .describe(
        'Maximum interval between two health checks, in milliseconds. Davit checks a new replica every 25 ms at first, and then less often up to this interval.',
      ),
    timeout_ms: z.int().min(100).max(60_000).default(5_000).describe('Timeout of one health check, in milliseconds.'),
    grace_s: z
      .int()
      .min(1)
      .max(3_600)
      .default(60)
      .describe(
        'Maximum time until a new release is ready, in seconds. If the release is not ready in time, the deployment fails.',
      ),
    successes: z
      .int()
      .min(1)
      .max(100)
      .default(1)
      .describe('Number of consecutive successful health checks after which a replica is ready.'),
  })
  .meta({ id: 'Health', description: 'Health checks that decide when a replica is ready.' });

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'] as const;

export const Stop = z
  .strictObject({
    signal: z.enum(SIGNALS).default('SIGTERM').describe('Signal that Davit sends to a replica to stop it.'),
    drain_s: z
      .int()
      .min(0)
      .max(86_400)
      .default(30)
      .describe(
        'Time in seconds that Davit waits for open requests and connections to finish before sending the stop signal.',
      ),
    grace_s: z.int().min(0).max(3_600).default(10).describe('Time in seconds between the stop signal and SIGKILL.'),
  })
  .meta({ id: 'StopPolicy', description: 'How Davit stops a replica.' });

/**
 * Default limit of processes and threads per replica. The limit is high enough for most apps, but it stops a fork bomb.
 */
export const DEFAULT_PIDS = 512;

export const AppLimits = z
  .strictObject({
    cpu: Cpu,
    memory_bytes: memoryBytes(6),
    pids: z
      .int()
      .min(FEWEST_PIDS)
      .max(1_048_576)
      .default(DEFAULT_PIDS)
      .describe(
        `Maximum number of processes and threads of each replica. The sum for all replicas of a release is at most ${APP_PIDS}, unless the quota of the project allows more.`,
      ),
  })
  .meta({ id: 'AppLimits', description: 'Limits of each replica.' });

export type AppLimits = z.infer<typeof AppLimits>;

const Arguments = z.array(Argument).min(1).max(256).nullable();

/**
 * Checks the field `image` of an app. If the source is `registry`, the field must be absent, because the app uses its
 * own repository. For any other source, the field is required.
 */
function imageFitsSource({ source, image }: { source: string; image: string | null }, ctx: z.RefinementCtx): void {
  const isPushed = source === 'registry';
  if (isPushed === (image === null)) return;
  const message = isPushed
    ? 'must be left out: with the source `registry`, you push the image to the registry of this instance'
    : 'is required for this source';
  ctx.addIssue({ code: 'custom', path: ['image'], message });
}

/** Settings of an app that a deployment applies. If one of these settings changes, a new revision is created. */
export const AppSpec = z
  .strictObject({
    source: AppSource,
    image: ImageRepository.nullable()
      .default(null)
      .describe(
        'Image repository without a tag, for example `nginx` or `ghcr.io/acme/shop`. Required unless the source is `registry`.',
      ),
    tag: TagOrDigest.nullable()
      .default(null)
      .describe(
        'Pinned tag: a deployment without a tag uses this tag. `null` if no tag is pinned. For an image of another registry, the value can also be a digest, such as `sha256:…`.',
      ),
    port: Port.nullable()
      .optional()
      .describe(
        'Port on which the app receives requests. `null` for a worker, which receives no requests. Default: the port that the image exposes, or 8080 if the image exposes no port or several ports.',
      ),
    command: Arguments.default(null).describe(
      'Arguments that replace the entry point of the image. `null` to use the entry point of the image.',
    ),
    args: Arguments.default(null).describe(
      'Arguments that replace the command of the image. `null` to use the command of the image.',
    ),
    scale: z.int().min(1).max(MAX_REPLICAS).default(1).describe('Number of replicas.'),
    health: Health.prefault({}),
    release_command: Arguments.default(null).describe(
      'Command that runs once in a container of the new image before the new release starts, for example a migration. The deployment fails if the command fails.',
    ),
    stop: Stop.prefault({}),
    limits: AppLimits.prefault({}),
    pull: z
      .enum(['missing', 'always'])
      .optional()
      .describe(
        'When to pull the image. `always`: for each deployment. `missing`: only if Docker does not have the image. Default: `always` for the tag `latest`, otherwise `missing`.',
      ),
    files: AppFiles.default([]).describe(
      'Small files that Davit creates in each replica, for example a configuration file.',
    ),
    labels: Labels.default({}).describe(
      'Labels of the app, as keys and values. You can filter apps by their labels. A change takes effect immediately, without a deployment.',
    ),
  })
  .superRefine(imageFitsSource);
export type AppSpec = z.infer<typeof AppSpec>;

/** Request body that replaces all settings of an app (PUT). A missing field gets its default. */
export const AppSettings = AppSpec.meta({ id: 'AppSettings' });

export const AppCreate = z
  .strictObject({
    project: Slug,
    environment: Slug.default('production').describe('Name of the environment. Default: `production`.'),
    name: Slug,
    ...AppSpec.shape,
  })
  .superRefine(imageFitsSource)
  .meta({ id: 'AppCreate' });
export type AppCreate = z.infer<typeof AppCreate>;

export const AppPort = z.union([Port, z.literal(IMAGE_PORT)], 'must be a port number, null or “image”').meta({
  id: 'AppPort',
});

const PatchedPort = AppPort.nullable()
  .optional()
  .describe(
    'Port on which the app receives requests. `null`: the app is a worker, which receives no requests. `image`: the port that the image exposes, or 8080 if the image exposes no port or several ports.',
  );

export const AppPatch = z.strictObject({ ...partial(AppSpec.shape).shape, port: PatchedPort }).meta({
  id: 'AppPatch',
  description:
    'JSON merge patch. Absent fields do not change, `null` restores the default, and arrays are replaced as a whole.',
});
export type AppPatch = z.infer<typeof AppPatch>;

export const AppReplica = z
  .object({
    name: z
      .string()
      .describe('Name of the container. The variable `DAVIT_REPLICA` in the container has the same value.'),
    deployment: z.int().describe('ID of the deployment that created the replica.'),
    state: z
      .enum(REPLICA_STATES)
      .describe(
        'State of the replica. `starting`: health checks run. `ready`: the replica receives requests. `draining`: the replica finishes its open requests before it stops. `down`: the replica should receive requests but does not respond.',
      ),
    address: z
      .string()
      .describe(
        'IP address of the replica in the network of the environment. The address does not change while the replica exists.',
      ),
    restarts: z.int().describe('Number of times that Docker restarted the replica.'),
    started_at: Timestamp.nullable(),
  })
  .meta({ id: 'AppReplica' });

/** Returns the description of an app setting. The request and response schemas share this description. */
function wordsFor(field: keyof AppSpec): string {
  return AppSpec.shape[field].description ?? '';
}

export const App = z
  .object({
    reference: z.string().describe('Address of the app: `project/environment/app`.'),
    project: z.string().describe('Name of the project.'),
    environment: z.string().describe('Name of the environment.'),
    name: z.string().describe('Name of the app. The name is unique in the environment and cannot change.'),
    source: AppSource,
    image: z
      .string()
      .nullable()
      .describe(
        'Image repository that contains the releases of the app. `null` for an app with the source `registry`.',
      ),
    tag: z.string().nullable().describe(wordsFor('tag')),
    autodeploy: z
      .boolean()
      .describe(
        'Whether a push to the registry of the instance deploys the app. This is the case for apps with the source `registry` and no pinned tag.',
      ),
    port: z.int().nullable().optional().describe(wordsFor('port')),
    command: Arguments.describe(wordsFor('command')),
    args: Arguments.describe(wordsFor('args')),
    scale: z.int().describe(wordsFor('scale')),
    health: Health,
    release_command: Arguments.describe(wordsFor('release_command')),
    stop: Stop,
    limits: AppLimits,
    pull: z.enum(['missing', 'always']).optional().describe(wordsFor('pull')),
    files: z.array(AppFileShown).describe(wordsFor('files')),
    labels: Labels.describe(wordsFor('labels')),
    domains: z
      .array(AppDomain)
      .describe(
        'Domains that users added to the app. The default host of the app (`suggested_host`) is not in this list.',
      ),
    volumes: z
      .array(AppVolume.pick({ id: true, path: true, name: true }))
      .describe('Volumes of the app. Their data persists between releases.'),
    attachments: z
      .array(AppAttachment)
      .describe(
        'Databases and buckets that are attached to the app. After its next deployment, the app gets environment variables with the connection details.',
      ),
    tcp_ports: z
      .array(TcpPort.pick({ id: true, container_port: true, host_port: true }))
      .describe('Published TCP ports of the app on the server.'),
    status: z
      .enum(APP_STATUSES)
      .describe(
        'Status of the app. `pending`: the app was never deployed. `running`: all replicas of the live release are ready. `degraded`: some replicas are ready. `down`: no replica is ready. `stopped`: a user stopped the app.',
      ),
    status_reason: z
      .string()
      .nullable()
      .describe(
        'Reason why Davit cannot start replicas of the live release, for example a missing image. Or the reason why a replica was killed within the last hour: it used more memory than its limit. `null` if there is no known problem.',
      ),
    replicas: z.array(AppReplica).describe('Replicas of the app, including replicas that are stopping.'),
    live_deployment: z
      .int()
      .nullable()
      .describe(
        'ID of the deployment of the live release, which receives new requests. A stopped app keeps its live release. `null` if the app was never deployed.',
      ),
    live_tag: z.string().nullable().describe('Tag of the live release. `null` if the app was never deployed.'),
    last_deployment: z
      .object({
        id: z.int().describe('ID of the deployment.'),
        status: z.enum(DEPLOYMENT_STATUSES).describe('Status of the deployment.'),
        error_code: z
          .enum(DEPLOYMENT_PROBLEM_CODES)
          .nullable()
          .describe('Code of the error that caused the failure. `null` if there is no code for the error.'),
      })
      .nullable()
      .describe(
        'Newest deployment of the app. If it failed, the earlier release stays live, if there is one. `null` if the app has no deployment.',
      ),
    revision: z.int().describe('Number of the current revision of settings and variables.'),
    pending_changes: z
      .boolean()
      .describe('Whether settings, variables, volumes or ports of the app differ from those of its live release.'),
    internal_host: z.string().describe('Host name at which other apps of the environment can reach the app.'),
    suggested_host: z.string().describe('Default host of the app: a subdomain of the domain of the instance.'),
    observed_at: Timestamp.nullable().describe(
      'Time when Davit last read the state of the containers from Docker. The field `status` was correct at this time.',
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'App' });
export type App = z.infer<typeof App>;
export type AppReplica = z.infer<typeof AppReplica>;
