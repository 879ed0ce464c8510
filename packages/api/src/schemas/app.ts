import { z } from 'zod';
import { APP_STATUSES, IMAGE_PORT, INSTANCE_STATES } from '../states/app.ts';
import { AppFileShown, AppFiles } from './app-file.ts';
import { AppAttachment } from './attachment.ts';
import { Argument, ImageRepository, Port, Slug, Tag, Timestamp } from './common.ts';
import { AppDomain } from './domain.ts';
import { Labels } from './label.ts';
import { Cpu, memoryBytes } from './limits.ts';
import { partial } from './partial.ts';
import { APP_PIDS } from './quota.ts';
import { TcpPort } from './tcp-port.ts';
import { AppVolume } from './volume.ts';

/** How an app is called wherever one sentence or one column has to do: `project/environment/app`. */
export function appReference(project: string, environment: string, app: string): string {
  return `${project}/${environment}/${app}`;
}

export const AppSource = z
  .enum(['image', 'registry', 'external'])
  .describe(
    '`image`: any registry, or already in the engine. `registry`: pushed to this instance. `external`: same as `image`.',
  );

const HealthPath = z
  .string()
  .max(255)
  .regex(/^\/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*$/, 'must start with «/» and have no query or fragment')
  .nullable();

/** How readiness is judged; each field has a default, so an empty object is the default policy. */
export const Health = z
  .strictObject({
    path: HealthPath.default(null).describe('GET this path: 2xx is ready. Null: HEALTHCHECK, else a TCP connect.'),
    interval_ms: z.int().min(25).max(60_000).default(500).describe('The slowest pace of probing; it starts at 25 ms.'),
    timeout_ms: z.int().min(100).max(60_000).default(5_000).describe('Of one probe.'),
    grace_s: z.int().min(1).max(3_600).default(60).describe('How long a new release may take to become ready.'),
    successes: z.int().min(1).max(100).default(1).describe('Good probes in a row that make it ready.'),
  })
  .meta({ id: 'Health', description: 'How it is known that a release is ready.' });

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'] as const;

export const Stop = z
  .strictObject({
    signal: z.enum(SIGNALS).default('SIGTERM').describe('What tells an instance to end.'),
    drain_s: z.int().min(0).max(86_400).default(30).describe('How long open sessions may end by themselves.'),
    grace_s: z.int().min(0).max(3_600).default(10).describe('From the signal to the kill.'),
  })
  .meta({ id: 'StopPolicy', description: 'How an instance is retired.' });

/** Enough for the runtimes of most apps; a fork bomb ends here. */
export const DEFAULT_PIDS = 512;

export const AppLimits = z
  .strictObject({
    cpu: Cpu,
    memory_bytes: memoryBytes(6),
    pids: z
      .int()
      .min(16)
      .max(1_048_576)
      .default(DEFAULT_PIDS)
      .describe(
        `Maximum number of processes and threads of each replica. All replicas of a release together have at most ${APP_PIDS}, unless the project’s quota allows more.`,
      ),
  })
  .meta({ id: 'AppLimits', description: 'What each instance may use.' });

export type AppLimits = z.infer<typeof AppLimits>;

const Arguments = z.array(Argument).min(1).max(256).nullable();

/** Where an app is pushed to is not for it to say; where it comes from is. */
function imageFitsSource({ source, image }: { source: string; image: string | null }, ctx: z.RefinementCtx): void {
  const isPushed = source === 'registry';
  if (isPushed === (image === null)) return;
  const message = isPushed
    ? 'must be left out: a `registry` app is pushed to its own repository here'
    : 'is required for this source';
  ctx.addIssue({ code: 'custom', path: ['image'], message });
}

/** So many instances of one app; an environment has 230 addresses for all of its apps. */
export const MOST_INSTANCES = 100;

/** What a deploy runs: the part of an app that makes a revision. */
export const AppSpec = z
  .strictObject({
    source: AppSource,
    image: ImageRepository.nullable().default(null).describe('Required unless the source is `registry`.'),
    tag: Tag.nullable().default(null).describe('The pin: a deploy without a tag takes it. Null: follow.'),
    port: Port.nullable()
      .optional()
      .describe('Null: a worker, without routes. Absent: the image’s only EXPOSEd port, else 8080.'),
    command: Arguments.default(null).describe('Replaces the image’s entry point.'),
    args: Arguments.default(null).describe('Replaces the image’s arguments.'),
    scale: z.int().min(1).max(MOST_INSTANCES).default(1).describe('How many instances run.'),
    health: Health.prefault({}),
    release_command: Arguments.default(null).describe('Runs once, from the new image, before the new release starts.'),
    stop: Stop.prefault({}),
    limits: AppLimits.prefault({}),
    pull: z.enum(['missing', 'always']).optional().describe('Absent: `always` for the tag `latest`, else `missing`.'),
    files: AppFiles.default([]).describe(
      'Small files, such as a configuration, that each instance finds when it starts.',
    ),
    labels: Labels.default({}).describe(
      'What you want to find it by: key to value. Acts at once, and on nothing else.',
    ),
  })
  .superRefine(imageFitsSource);
export type AppSpec = z.infer<typeof AppSpec>;

/** The whole settings of an app, as PUT takes them: what is left out means its default. */
export const AppSettings = AppSpec.meta({ id: 'AppSettings' });

export const AppCreate = z
  .strictObject({
    project: Slug,
    environment: Slug.default('production').describe('An environment of the project.'),
    name: Slug,
    ...AppSpec.shape,
  })
  .superRefine(imageFitsSource)
  .meta({ id: 'AppCreate' });
export type AppCreate = z.infer<typeof AppCreate>;

const PatchedPort = z
  .union([Port, z.literal(IMAGE_PORT)], 'must be a port, null or «image»')
  .nullable()
  .optional()
  .describe('Null: a worker, without routes. `image`: the image’s only EXPOSEd port, else 8080.');

export const AppPatch = z.strictObject({ ...partial(AppSpec.shape).shape, port: PatchedPort }).meta({
  id: 'AppPatch',
  description: 'A JSON merge patch: what is absent stays, null goes back to the default, arrays are replaced.',
});
export type AppPatch = z.infer<typeof AppPatch>;

export const AppInstance = z
  .object({
    name: z.string().describe('Its container’s name, and `DAVIT_INSTANCE` inside.'),
    deployment: z.int().describe('The deployment that started it.'),
    state: z
      .enum(INSTANCE_STATES)
      .describe('`starting`: under check. `ready`: serving. `draining`: retiring. `down`: should serve and does not.'),
    address: z.string().describe('On its environment’s network; fixed for its life.'),
    restarts: z.int().describe('How often the engine started it again.'),
    started_at: Timestamp.nullable(),
  })
  .meta({ id: 'AppInstance' });

/** A field means the same whether it is sent or answered. */
function wordsFor(field: keyof AppSpec): string {
  return AppSpec.shape[field].description ?? '';
}

export const App = z
  .object({
    reference: z.string().describe('`project/environment/app`.'),
    project: z.string().describe('Its project’s name.'),
    environment: z.string().describe('Its environment’s name.'),
    name: z.string().describe('Permanent, and unique in its environment.'),
    source: AppSource,
    image: z.string().nullable().describe('The repository that its releases are in.'),
    tag: z.string().nullable().describe(wordsFor('tag')),
    autodeploy: z.boolean().describe('A push deploys: a `registry` app without a pin.'),
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
    domains: z.array(AppDomain).describe('Hosts that it was given, besides `suggested_host`.'),
    volumes: z.array(AppVolume.pick({ id: true, path: true, name: true })).describe('What it keeps between releases.'),
    attachments: z
      .array(AppAttachment)
      .describe('Databases and buckets that it gets at by variables, with its next deploy.'),
    tcp_ports: z
      .array(TcpPort.pick({ id: true, container_port: true, host_port: true }))
      .describe('Ports of the machine that lead to it past the proxy.'),
    status: z
      .enum(APP_STATUSES)
      .describe(
        '`pending`: never deployed. `running`: every instance of the live release serves; `degraded`: not all; `down`: none. `stopped`: by hand, until it is started or deployed.',
      ),
    status_reason: z
      .string()
      .nullable()
      .describe(
        'Reason why Davit cannot start replicas of the live release, for example a missing image. `null` if no such problem is known.',
      ),
    instances: z.array(AppInstance).describe('Those that there are, retiring ones included.'),
    live_deployment: z
      .int()
      .nullable()
      .describe(
        'The deployment whose release new requests go to, and that a start of a stopped app brings back; null: none yet.',
      ),
    live_tag: z.string().nullable().describe('The tag that the live release was deployed as; null: none yet.'),
    revision: z.int().describe('Counts the changes of settings and variables.'),
    pending_changes: z.boolean().describe('Settings or variables differ from what the live release runs.'),
    internal_host: z.string().describe('Where the apps of its environment find it.'),
    suggested_host: z.string().describe('The host that it has by itself, below the instance’s domain.'),
    observed_at: Timestamp.nullable().describe('When the engine was last seen: how old the status is.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'App' });
export type App = z.infer<typeof App>;
export type AppInstance = z.infer<typeof AppInstance>;
