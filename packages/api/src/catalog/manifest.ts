/** Schema of a normalized template manifest. An optional key is present only if the template file contains the key. */
import { z } from 'zod';

const Condition = z
  .object({ input: z.string(), equals: z.string().optional(), not: z.string().optional() })
  .describe(
    'Condition for a part of the template. The part applies only if the value of one input, named in `input`, meets the condition. With `equals`, the value must be this text. With `not`, the value must be another text. Without `equals` and `not`, the value must not be empty.',
  );

const Limits = z
  .object({ cpu: z.number().nullable(), memory_bytes: z.number().nullable() })
  .describe('Maximum CPU and memory of each container.');

const Input = z.object({
  key: z.string(),
  type: z.enum(['domain', 'text', 'number', 'choice', 'secret', 'store']),
  label: z.string(),
  help: z.string().optional(),
  required: z.boolean(),
  default: z.union([z.string(), z.number()]).optional(),
  pattern: z.string().optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  options: z.array(z.string()).optional(),
  generate: z
    .number()
    .optional()
    .describe('Length in characters of the secret that is generated if the user enters no secret.'),
  format: z.enum(['alphanumeric', 'hex', 'base64', 'base64url', 'uuid']).optional(),
  bytes: z.number().optional(),
});

const Database = z.object({
  key: z.string(),
  name: z.string(),
  engine: z.string(),
  version: z.string().nullable(),
  extensions: z.array(z.string()),
  username: z.string().nullable(),
  database: z.string().nullable(),
  expose: z.number().nullable(),
  limits: Limits.nullable(),
  port: z.number(),
  when: Condition.optional(),
});

const Store = z.object({
  key: z.string(),
  name: z.string(),
  version: z.string().nullable(),
  buckets: z.array(z.string()),
  limits: Limits.nullable(),
  when: Condition.optional(),
});

const Source = z.union([
  z.object({ type: z.literal('image'), image: z.string(), tag: z.string().nullable() }),
  z.object({
    type: z.enum(['dockerfile', 'railpack']),
    repo: z.string(),
    ref: z.string().nullable(),
    dockerfile: z.string().nullable(),
  }),
]);

const Attachment = z.object({
  kind: z.enum(['database', 'store']),
  key: z.string(),
  bucket: z.string().nullable(),
  prefix: z.string(),
  when: Condition.optional(),
});

const App = z.object({
  key: z.string(),
  name: z.string(),
  source: Source,
  port: z.number().nullable(),
  health: z.string().nullable(),
  domains: z.array(z.object({ host: z.string(), port: z.number(), when: Condition.optional() })),
  attach: z.array(Attachment),
  env: z.record(z.string(), z.string()),
  env_when: z.array(z.object({ when: Condition, env: z.record(z.string(), z.string()) })).optional(),
  limits: Limits.nullable(),
  scale: z.number().nullable(),
  spread: z.boolean(),
  autoscale: z.object({ min: z.number(), max: z.number(), cpu: z.number() }).nullable(),
  volumes: z.array(z.object({ path: z.string(), size_bytes: z.number().optional(), when: Condition.optional() })),
  tcp: z.array(z.object({ port: z.number(), host: z.string().nullable(), when: Condition.optional() })),
  internal_host: z.string().describe('Host name of the app for other apps: `<app>.<environment>.<project>.internal`.'),
  worker: z.literal(true).optional().describe('Present if the app receives no requests.'),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  files: z.array(z.object({ path: z.string(), content: z.string(), mode: z.string() })).optional(),
  depends_on: z.array(z.string()).optional(),
  when: Condition.optional(),
});

const Job = z.object({
  key: z.string(),
  name: z.string(),
  app: z.string(),
  command: z.array(z.string()),
  on: z.enum(['install', 'update', 'always']),
  timeout: z.number().describe('Maximum time in seconds for the command of the job. After this time, the job fails.'),
  depends_on: z.array(z.string()),
  when: Condition.optional(),
});

export const CatalogManifest = z
  .object({
    schema_version: z.literal(1),
    name: z.string().optional(),
    min_cubeship: z.string().nullable(),
    min_version: z.string().optional(),
    project: z.string(),
    environment: z.string(),
    inputs: z.array(Input),
    databases: z.array(Database),
    stores: z.array(Store),
    apps: z.array(App),
    jobs: z.array(Job).optional(),
  })
  .describe(
    'Normalized content of `template.yaml`. Davit has added missing names, default values and full internal host names.',
  );

export type CatalogManifest = z.infer<typeof CatalogManifest>;
