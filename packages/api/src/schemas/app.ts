import { z } from 'zod';
import { APP_STATUSES, INSTANCE_STATES } from '../states/app.ts';
import { Argument, ImageRepository, Port, Slug, Tag, Timestamp } from './common.ts';
import { Domain } from './domain.ts';

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
  .meta({ id: 'Health' });

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGWINCH'] as const;

export const Stop = z
  .strictObject({
    signal: z.enum(SIGNALS).default('SIGTERM'),
    drain_s: z.int().min(0).max(86_400).default(30).describe('How long open sessions may end by themselves.'),
    grace_s: z.int().min(0).max(3_600).default(10).describe('From the signal to the kill.'),
  })
  .meta({ id: 'StopPolicy' });

export const AppLimits = z
  .strictObject({
    cpu: z.number().min(0.01).max(1_024).nullable().default(null).describe('Cores; null: no limit.'),
    memory_bytes: z
      .int()
      .min(6 * 1024 * 1024)
      .nullable()
      .default(null)
      .describe('Null: the machine less what the platform keeps for itself.'),
    pids: z.int().min(16).max(1_048_576).default(4_096),
  })
  .meta({ id: 'Limits' });

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
    scale: z.int().min(1).max(100).default(1),
    health: Health.prefault({}),
    release_command: Arguments.default(null).describe('Runs once, from the new image, before the new release starts.'),
    stop: Stop.prefault({}),
    limits: AppLimits.prefault({}),
    pull: z.enum(['missing', 'always']).optional().describe('Absent: `always` for the tag `latest`, else `missing`.'),
  })
  .superRefine(imageFitsSource);
export type AppSpec = z.infer<typeof AppSpec>;

/** The whole settings of an app, as PUT takes them: what is left out means its default. */
export const AppSettings = AppSpec.meta({ id: 'AppSettings' });

export const AppCreate = z
  .strictObject({
    project: Slug,
    environment: Slug.default('production'),
    name: Slug,
    ...AppSpec.shape,
  })
  .superRefine(imageFitsSource)
  .meta({ id: 'AppCreate' });
export type AppCreate = z.infer<typeof AppCreate>;

/** A JSON merge patch of the settings: absent keeps, null clears to the default, arrays replace. */
const partial = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(
    Object.fromEntries(Object.entries(shape).map(([k, v]) => [k, mergeable(v as z.ZodType)])) as {
      [K in keyof S]: z.ZodOptional<z.ZodNullable<z.ZodType>>;
    },
  );

function mergeable(field: z.ZodType): z.ZodOptional<z.ZodNullable<z.ZodType>> {
  let inner = field;
  // Unwrapped, so that a field that is not sent stays absent instead of becoming its default.
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodOptional) {
    inner = inner.unwrap() as z.ZodType;
  }
  const value = inner instanceof z.ZodObject ? partial(inner.shape) : inner;
  return value.nullable().optional();
}

export const AppPatch = partial(AppSpec.shape).meta({
  id: 'AppPatch',
  description: 'A JSON merge patch: what is absent stays, null goes back to the default, arrays are replaced.',
});
export type AppPatch = z.infer<typeof AppPatch>;

export const AppInstance = z
  .object({
    name: z.string(),
    deployment: z.int(),
    state: z.enum(INSTANCE_STATES),
    address: z.string().describe('On its environment’s network; fixed for its life.'),
    restarts: z.int(),
    started_at: Timestamp.nullable(),
  })
  .meta({ id: 'Instance' });

export const App = z
  .object({
    reference: z.string().describe('`project/environment/app`.'),
    project: z.string(),
    environment: z.string(),
    name: z.string(),
    source: AppSource,
    image: z.string().nullable(),
    tag: z.string().nullable(),
    autodeploy: z.boolean().describe('A push deploys: a `registry` app without a pin.'),
    port: z.int().nullable().optional(),
    command: Arguments,
    args: Arguments,
    scale: z.int(),
    health: Health,
    release_command: Arguments,
    stop: Stop,
    limits: AppLimits,
    pull: z.enum(['missing', 'always']).optional(),
    domains: z.array(Domain),
    volumes: z.array(z.object({ id: z.int(), path: z.string(), name: z.string() })),
    tcp_ports: z.array(z.object({ id: z.int(), container_port: z.int(), host_port: z.int() })),
    status: z.enum(APP_STATUSES),
    instances: z.array(AppInstance),
    live_deployment: z.int().nullable(),
    revision: z.int(),
    pending_changes: z.boolean().describe('Settings or variables differ from what the live release runs.'),
    internal_host: z.string(),
    suggested_host: z.string(),
    observed_at: Timestamp.nullable().describe('When the engine was last seen: how old the status is.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'App' });
export type App = z.infer<typeof App>;
export type AppInstance = z.infer<typeof AppInstance>;
