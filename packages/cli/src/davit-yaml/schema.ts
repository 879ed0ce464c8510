/** Schema of `davit.yaml`: the settings of an app as in the API, its build and its related resources. */
import { AppReference, AppSpec, DomainCreate, DomainSettings, Slug, Tag, VariableName, VolumePath } from '@davit/api';
import { z } from 'zod';

/**
 * The source follows from `image`. Files are not part of the schema: the API does not return their content, so no
 * difference could be shown. All other settings are those of the API.
 */
const { source: _source, image: _image, tag: _tag, files: _files, ...settings } = AppSpec.shape;
export const SETTING_NAMES = Object.keys(settings) as (keyof typeof settings)[];

const Build = z
  .strictObject({
    context: z.string().min(1).default('.').describe('The folder that is sent to the builder, from this file.'),
    dockerfile: z.string().min(1).default('Dockerfile').describe('Within the context.'),
    args: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an ARG'), scalar())
      .default({})
      .describe('Values of the Dockerfile’s ARGs. They can be read in the image: no secrets.'),
    target: z.string().min(1).optional().describe('The stage to build; absent: the last one.'),
    platform: z
      .string()
      .regex(/^[a-z0-9]+\/[a-z0-9_]+(\/[a-z0-9]+)?$/, 'must be a platform such as "linux/amd64"')
      .optional()
      .describe('What the instance runs on, such as `linux/amd64`; absent: what the builder runs on.'),
  })
  .describe('How the image is built from here.');
export type Build = z.output<typeof Build>;

const FromEnvironment = z
  .strictObject({
    from_env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of a variable')
      .regex(/^(?!DAVIT_)/, 'cannot start with DAVIT_, because such variables contain your login')
      .describe('The variable of the environment `davit up` runs in.'),
    secret: z.boolean().default(true).describe('Hidden from viewers.'),
  })
  .describe('A value that is not in this file.');

/**
 * Settings of a domain. Settings that an entry does not contain are not changed. Passwords must not be in a committed
 * file and maintenance pages are temporary, so only commands set them.
 */
const { basic_auth: _passwords, maintenance: _page, ...ofDomain } = DomainSettings.shape;
const Domain = z.strictObject({ host: DomainCreate.shape.host, ...withoutDefaults(ofDomain) });

type WithoutDefaults<S> = { [K in keyof S]: S[K] extends z.ZodDefault<infer T> ? z.ZodOptional<T> : never };

function withoutDefaults<S extends Record<string, z.ZodDefault>>(fields: S): WithoutDefaults<S> {
  const entries = Object.entries(fields).map(([name, field]) => {
    const inner = field.unwrap() as z.ZodType;
    return [name, inner.optional().describe(field.description ?? inner.description ?? '')];
  });
  return Object.fromEntries(entries) as WithoutDefaults<S>;
}

const shape = {
  app: AppReference.optional().describe('`project/environment/app`; or give `project`, `environment` and `name`.'),
  project: Slug.optional(),
  environment: Slug.optional().describe('`production` unless given.'),
  name: Slug.optional().describe('The app’s name.'),
  build: Build.optional(),
  image: z
    .string()
    .optional()
    .describe('An image that is built elsewhere, with or without its tag. Absent: it is built here and pushed.'),
  tag: Tag.optional().describe('The pin: what is deployed, and pushes of other tags do not deploy.'),
  ...settings,
  variables: z
    .record(VariableName, z.union([scalar(), FromEnvironment]))
    .default({})
    .describe('Name to value, or to `{from_env: NAME}`. Those that are not in here stay as they are.'),
  secrets: z
    .array(VariableName)
    .default([])
    .describe('Variables whose values are set on the instance: nothing is deployed while one is missing.'),
  domains: z
    .array(z.union([z.string().min(1).max(255), Domain]))
    .default([])
    .describe('Hosts, each alone or with what it is to be like. What is not in here stays.'),
  volumes: z.array(VolumePath).default([]).describe('Paths in the container. Those that are not in here stay.'),
};

export const DavitFile = z
  .strictObject(shape)
  .superRefine(namesOneApp)
  .superRefine(imageOrBuild)
  .superRefine(noDoubles)
  .superRefine(hostsAlone);

/** Content of a file. `app` is set in both ways to name the app. */
export type DavitFile = Omit<z.output<typeof DavitFile>, 'app' | 'project' | 'environment' | 'name'> & {
  /** Reference of the app, `project/environment/app`. */
  app: string;
};

export function withReference({ app, project, environment, name, ...rest }: z.output<typeof DavitFile>): DavitFile {
  return { ...rest, app: app ?? `${project}/${environment ?? 'production'}/${name}` };
}

/**
 * Schema of the value of a variable. Numbers and booleans are kept as written, which requires code besides the parser.
 */
function scalar() {
  return z.union([z.string(), z.number(), z.boolean()]);
}

type Loose = z.output<z.ZodObject<typeof shape>>;

function namesOneApp({ app, project, environment, name }: Loose, ctx: z.RefinementCtx): void {
  const apart = { project, environment, name };
  if (app !== undefined) {
    for (const [key, value] of Object.entries(apart)) {
      if (value !== undefined) complain(ctx, [key], 'is already in "app": remove one of them');
    }
    for (const [index, part] of app.split('/').entries()) {
      const found = Slug.safeParse(part).error?.issues[0];
      if (found) complain(ctx, ['app'], `${['project', 'environment', 'app'][index]} ${found.message}`);
    }
  } else if (project === undefined || name === undefined) {
    complain(ctx, [], 'names no app: write "app: project/environment/app"');
  }
}

function imageOrBuild({ image, build, tag }: Loose, ctx: z.RefinementCtx): void {
  if (image === undefined) return;
  if (build !== undefined) complain(ctx, ['build'], 'cannot be used with an image: remove "image" or "build"');
  const parts = imageParts(image);
  const wrong = AppSpec.shape.image.safeParse(parts.image).error?.issues[0];
  if (wrong) complain(ctx, ['image'], wrong.message);
  if (parts.tag === null) return;
  if (tag !== undefined) complain(ctx, ['tag'], 'is already in "image": remove one of them');
  const found = Tag.safeParse(parts.tag).error?.issues[0];
  if (found) complain(ctx, ['image'], `its tag ${found.message}`);
}

function noDoubles({ variables, secrets, domains, volumes }: Loose, ctx: z.RefinementCtx): void {
  for (const [index, name] of secrets.entries()) {
    if (Object.hasOwn(variables, name)) complain(ctx, ['secrets', index], 'is already in "variables"');
  }
  const hosts = domains.map((domain) => (typeof domain === 'string' ? domain : `${domain.host}${domain.path ?? ''}`));
  for (const [name, list] of Object.entries({ secrets, domains: hosts, volumes })) {
    for (const [index, value] of list.entries()) {
      if (list.indexOf(value) < index) complain(ctx, [name, index], 'is there twice');
    }
  }
}

/**
 * Characters that do not belong to a host name. Without this check, a scheme, port or path would be dropped silently.
 */
const MORE_THAN_A_HOST = /[\s/\\:@?#]/;

function hostsAlone({ domains }: Loose, ctx: z.RefinementCtx): void {
  for (const [index, domain] of domains.entries()) {
    const named = typeof domain === 'string' ? { '': domain } : { host: domain.host, redirect_to: domain.redirect_to };
    for (const [key, host] of Object.entries(named)) {
      if (typeof host !== 'string' || !MORE_THAN_A_HOST.test(host)) continue;
      const path = ['domains', index, ...(key === '' ? [] : [key])];
      complain(
        ctx,
        path,
        'must be a host name alone, such as shop.example.com: a path and a port have keys of their own',
      );
    }
  }
}

function complain(ctx: z.RefinementCtx, path: (string | number)[], message: string): void {
  ctx.addIssue({ code: 'custom', path, message });
}

/** Splits an image into repository and tag. A colon before the last slash belongs to a port. */
export function imageParts(image: string): { image: string; tag: string | null } {
  const colon = image.indexOf(':', image.lastIndexOf('/') + 1);
  return colon < 0 ? { image, tag: null } : { image: image.slice(0, colon), tag: image.slice(colon + 1) };
}

/** Returns the JSON Schema for editors, which offers completion and shows errors during input. */
export function davitFileSchema(): object {
  return {
    ...z.toJSONSchema(DavitFile, { io: 'input', target: 'draft-7', unrepresentable: 'any' }),
    title: 'davit.yaml',
    description: 'What `davit up` makes of an app. What is left out of the settings means its default.',
  };
}
