/**
 * Schema of davit.yaml. The schema contains app settings of the API, the image build, environment variables, domains
 * and volumes.
 */
import {
  AppLimits,
  AppReference,
  AppSpec,
  DomainCreate,
  DomainSettings,
  readByteSize,
  Slug,
  Tag,
  VariableName,
  VolumePath,
} from '@davit/api';
import { z } from 'zod';
import {
  complain,
  fullHosts,
  headersOnce,
  normalizedDomain,
  oneReplicaWithVolumes,
  redirectsElsewhere,
  volumesApart,
} from './app-rules.ts';

/**
 * App settings with the same schema in the API and in davit.yaml. `files` is omitted. The API does not return the
 * content of files, so `davit plan` could not compare them.
 */
const { source: _source, image: _image, tag: _tag, files: _files, ...others } = AppSpec.shape;

/** Limits of an app as in the API. The only difference is that `memory` is a text with a unit, such as `512M`. */
const Limits = z
  .strictObject({
    ...AppLimits.shape,
    memory: z
      .union([z.string(), z.number()])
      .nullable()
      .optional()
      .describe('Maximum memory of each replica, such as `512m`, `64Mi` or `1.5g`. `null`: no limit.'),
  })
  .describe('Limits of each replica.');

const settings = {
  ...others,
  limits: Limits.prefault({}),
  // `scale` has no default, so that `davit up` keeps the number of replicas from `davit app scale`.
  scale: others.scale
    .unwrap()
    .optional()
    .describe('Number of replicas. Default: the current number of replicas, or 1 for a new app.'),
};
export const SETTING_NAMES = Object.keys(settings) as (keyof typeof settings)[];

const Build = z
  .strictObject({
    context: z.string().min(1).default('.').describe('Build context: a folder, relative to this file.'),
    dockerfile: z.string().min(1).default('Dockerfile').describe('Path of the Dockerfile in the build context.'),
    args: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an ARG'), scalar())
      .default({})
      .describe(
        'Values of the `ARG` instructions in the Dockerfile. The image contains these values, so do not use secrets.',
      ),
    target: z.string().min(1).optional().describe('Stage to build. Default: the last stage.'),
    platform: z
      .string()
      .regex(/^[a-z0-9]+\/[a-z0-9_]+(\/[a-z0-9]+)?$/, 'must be a platform such as "linux/amd64"')
      .optional()
      .describe('Platform of the instance, such as `linux/amd64`. Default: the platform of the builder.'),
  })
  .describe('Settings of the image build.');
export type Build = z.output<typeof Build>;

const FromEnvironment = z
  .strictObject({
    from_env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_.]*$/, 'must be the name of a variable')
      .regex(/^(?!DAVIT_)/, 'cannot start with DAVIT_: this prefix is reserved for variables of the davit command')
      .describe(
        'Name of an environment variable on your computer. `davit up` reads the value of this environment variable.',
      ),
    secret: z.boolean().default(true).describe('Whether the API hides the value of the variable.'),
  })
  .describe('Reads the value of the variable from an environment variable on your computer.');

/**
 * Domain settings that davit.yaml can contain. Passwords are omitted, because they must not be in Git. The maintenance
 * page is omitted, because it is only temporary.
 */
const { basic_auth: _passwords, maintenance: _page, ...ofDomain } = DomainSettings.shape;
const Domain = z.strictObject({ host: DomainCreate.shape.host, ...withoutDefaults(ofDomain) });

type WithoutDefaults<S> = { [K in keyof S]: S[K] extends z.ZodDefault<infer T> ? z.ZodOptional<T> : never };

/**
 * Makes each setting optional and removes its default. Therefore, the instance keeps its value for a setting that
 * davit.yaml omits.
 */
function withoutDefaults<S extends Record<string, z.ZodDefault>>(fields: S): WithoutDefaults<S> {
  const entries = Object.entries(fields).map(([name, field]) => {
    const inner = field.unwrap() as z.ZodType;
    return [name, inner.optional().describe(field.description ?? inner.description ?? '')];
  });
  return Object.fromEntries(entries) as WithoutDefaults<S>;
}

const shape = {
  app: AppReference.optional().describe(
    'Full address of the app, such as `shop/production/web`. Instead, you can set `project`, `environment` and `name`.',
  ),
  project: Slug.optional(),
  environment: Slug.optional().describe('Name of the environment. Default: `production`.'),
  name: Slug.optional().describe('Name of the app.'),
  build: Build.optional(),
  image: z
    .string()
    .optional()
    .describe(
      'Existing image to deploy, with or without a tag. If `image` is not set, `davit up` builds and pushes an image.',
    ),
  tag: Tag.optional().describe('Pinned tag: the tag to deploy. Pushes of other tags do not start a deployment.'),
  ...settings,
  variables: z
    .record(VariableName, z.union([scalar(), FromEnvironment]))
    .default({})
    .describe('Map of variable name to value, or to `{from_env: NAME}`. Variables that are not listed stay unchanged.'),
  secrets: z
    .array(VariableName)
    .default([])
    .describe(
      'Names of variables that must already be set on the instance. If a variable is missing, `davit up` does not deploy.',
    ),
  domains: z
    .array(z.union([z.string().min(1).max(255), Domain]))
    .default([])
    .describe(
      'Domains. Each domain is a host name, or an object with settings. Domains that are not listed stay unchanged.',
    ),
  volumes: z
    .array(VolumePath)
    .default([])
    .describe('Paths of volumes in the container. Volumes that are not listed stay unchanged.'),
};

export const DavitFile = z
  .strictObject(shape)
  .superRefine(namesOneApp)
  .superRefine(imageOrBuild)
  .superRefine(memoryWithUnit)
  .superRefine(noDoubles)
  .superRefine(oneReplicaWithVolumes)
  .superRefine(volumesApart)
  .superRefine(fullHosts)
  .superRefine(redirectsElsewhere)
  .superRefine(headersOnce);

/** Parsed content of a davit.yaml. The file may contain `project`, `environment` and `name` instead of `app`. */
export type DavitFile = Omit<z.output<typeof DavitFile>, 'app' | 'project' | 'environment' | 'name' | 'limits'> & {
  /** Reference of the app in the form `project/environment/app`. */
  app: string;
  /**
   * Names of all keys that the file contains, such as `health.path`. The other settings have their defaults because the
   * file omits them.
   */
  given: ReadonlySet<string>;
  /** CPU and memory limits of the app in the format of the API. The memory limit is in bytes. */
  limits: AppLimits;
};

export function withReference(
  { app, project, environment, name, limits, ...rest }: z.output<typeof DavitFile>,
  data: unknown,
): DavitFile {
  return {
    ...rest,
    app: app ?? `${project}/${environment ?? 'production'}/${name}`,
    limits: inBytes(limits),
    given: new Set(keysOf(data)),
  };
}

/** Returns the names of all keys of a parsed YAML file. `limits.memory` has its name in the API. */
function keysOf(data: unknown, prefix = ''): string[] {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [];
  return Object.entries(data).flatMap(([key, value]) => {
    const name = `${prefix}${key}`;
    return [name === 'limits.memory' ? 'limits.memory_bytes' : name, ...keysOf(value, `${name}.`)];
  });
}

function inBytes({ memory, ...limits }: z.output<typeof Limits>): AppLimits {
  if (memory === undefined) return limits;
  return { ...limits, memory_bytes: memory === null ? null : readByteSize(String(memory)) };
}

/**
 * Schema for the value of an environment variable or build argument. `parse.ts` has already restored the original text
 * of numbers and booleans.
 */
function scalar() {
  return z.union([z.string(), z.number(), z.boolean()]);
}

type Loose = z.output<z.ZodObject<typeof shape>>;

function namesOneApp({ app, project, environment, name }: Loose, ctx: z.RefinementCtx): void {
  const apart = { project, environment, name };
  if (app !== undefined) {
    for (const [key, value] of Object.entries(apart)) {
      if (value !== undefined) complain(ctx, [key], 'cannot be used together with "app": remove one of the two keys');
    }
    for (const [index, part] of app.split('/').entries()) {
      const found = Slug.safeParse(part).error?.issues[0];
      if (found) complain(ctx, ['app'], `${['project', 'environment', 'app'][index]} ${found.message}`);
    }
  } else if (project === undefined || name === undefined) {
    complain(ctx, [], 'the address of the app is missing: add "app: project/environment/app"');
  }
}

function imageOrBuild({ image, build, tag }: Loose, ctx: z.RefinementCtx): void {
  if (image === undefined) return;
  if (build !== undefined) complain(ctx, ['build'], 'cannot be used together with "image": remove one of the two keys');
  const parts = imageParts(image);
  const wrong = AppSpec.shape.image.safeParse(parts.image).error?.issues[0];
  if (wrong) complain(ctx, ['image'], wrong.message);
  if (parts.tag === null) return;
  if (tag !== undefined) complain(ctx, ['tag'], 'conflicts with the tag in "image": specify the tag only once');
  const found = Tag.safeParse(parts.tag).error?.issues[0];
  if (found) complain(ctx, ['image'], `its tag ${found.message}`);
}

function memoryWithUnit({ limits: { memory, memory_bytes } }: Loose, ctx: z.RefinementCtx): void {
  if (memory === undefined) return;
  const path = ['limits', 'memory'];
  if (memory_bytes !== null) {
    complain(ctx, path, 'cannot be used together with "memory_bytes": remove one of the two keys');
    return;
  }
  if (memory === null) return;
  const bytes = readByteSize(String(memory));
  if (bytes === null) complain(ctx, path, 'must be an amount of memory: write for example 512m or 1.5g');
  else if (!Number.isSafeInteger(bytes)) complain(ctx, path, 'is too large');
  else if (!AppLimits.shape.memory_bytes.safeParse(bytes).success) complain(ctx, path, 'must be at least 6Mi');
}

function noDoubles({ variables, secrets, domains, volumes }: Loose, ctx: z.RefinementCtx): void {
  for (const [index, name] of secrets.entries()) {
    if (Object.hasOwn(variables, name)) complain(ctx, ['secrets', index], 'is already in "variables"');
  }
  const hosts = domains.map(normalizedDomain).map(({ host, path }) => `${host}${path}`);
  for (const [name, list] of Object.entries({ secrets, domains: hosts, volumes })) {
    for (const [index, value] of list.entries()) {
      if (list.indexOf(value) < index) complain(ctx, [name, index], 'is listed twice');
    }
  }
}

/**
 * Splits an image reference into repository and tag. A colon before the last slash belongs to the port of the registry,
 * and not to the tag.
 */
export function imageParts(image: string): { image: string; tag: string | null } {
  const colon = image.indexOf(':', image.lastIndexOf('/') + 1);
  return colon < 0 ? { image, tag: null } : { image: image.slice(0, colon), tag: image.slice(colon + 1) };
}

/** Returns the JSON Schema of davit.yaml. Editors use this JSON Schema for completion and error messages. */
export function davitFileSchema(): object {
  return {
    ...z.toJSONSchema(DavitFile, { io: 'input', target: 'draft-7', unrepresentable: 'any' }),
    title: 'davit.yaml',
    description:
      'Configuration of an app for `davit up`. Settings that are not in the file have their default values, except `scale`.',
  };
}
