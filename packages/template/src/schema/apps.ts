import { JOB_MOMENTS } from '../draft.ts';
import { anyText, fileMode, imageTag, key, limits, port, slug, textOrEmpty, when } from './forms.ts';
import {
  type Field,
  integer,
  type ListShape,
  list,
  type ObjectShape,
  object,
  optional,
  required,
  text,
} from './shape.ts';

const dependsOn: Field = optional(
  list(key),
  'Keys of apps and jobs that must be ready before this app or job starts.',
  ['web'],
);

/** Schema of an app's command: a program and its arguments. An argument may be empty, as in `--save ""`. */
const words: ListShape = { ...list(textOrEmpty, 1), first: anyText };

const domain = object({
  host: required(
    anyText,
    'Host of the domain: a reference to an input of type domain, such as `${input.domain}`.',
    '${input.domain}',
  ),
  port: optional(port, 'Port of the app that receives the requests. Default: the value of `port` of the app.', 3000),
  when,
});

const attachment = object({
  database: optional(key, 'Key of a database whose address and password the app gets as variables.', 'db'),
  store: optional(key, 'Key of an object store, or of an input of type store.', 'files'),
  bucket: optional(anyText, 'Name of the bucket of the object store.', 'uploads'),
  prefix: optional(
    textOrEmpty,
    'Prefix for the names of the environment variables that the app gets, such as `CACHE_`.',
    'CACHE_',
  ),
  when,
});

const autoscale = object({
  min: optional(integer(), 'Minimum number of replicas. Default: 1.', 1),
  max: required(integer(), 'Maximum number of replicas, at most 100.', 4),
  cpu: required({ is: 'number' }, 'CPU use of a replica, in percent of one core, above which a replica is added.', 80),
});

const volume = object({
  path: required(anyText, 'Path of the volume in the container.', '/data'),
  size: optional({ is: 'amount' }, 'Expected size of the volume, such as `10Gi`.', '10Gi'),
  when,
});

const tcpPort = object({
  port: required(port, 'Port in the container on which the app listens.', 22),
  host: optional(
    { is: 'hostPort' },
    'Port of the server, or `${input.<key>}`. Default: a port that the instance chooses.',
    2222,
  ),
  when,
});

const file = object({
  path: required(anyText, 'Path in the container.', '/etc/app/config.yaml'),
  content: required(
    textOrEmpty,
    'Content of the file. Davit replaces references such as `${db.<key>.host}` with their values.',
  ),
  mode: optional(fileMode, 'File mode in octal, as text in quotes. Default: `0644`.', '0644'),
});

const env: Field = optional(
  { is: 'variables' },
  'Environment variables. Davit replaces references in values, such as `${db.<key>.host}`.',
  {
    LOG_LEVEL: 'info',
  },
);

const source: Record<string, Field> = {
  image: optional(anyText, 'Image of the app, without a tag.', 'ghcr.io/umami-software/umami'),
  tag: optional(imageTag, 'Tag of the image.', 'v2.19.0'),
  repo: optional(
    anyText,
    'Address of a Git repository. The app is built from this repository instead of an image.',
    'https://github.com/acme/shop',
  ),
  ref: optional(anyText, 'Branch or tag of the Git repository.', 'main'),
  build: optional(text({ oneOf: ['dockerfile', 'railpack'] }), 'Build method for the Git repository.', 'dockerfile'),
  dockerfile: optional(anyText, 'Path of the Dockerfile in the Git repository.', 'Dockerfile'),
  command: optional(words, 'Program and arguments that replace the entry point of the image.', ['node', 'server.js']),
  args: optional(list(textOrEmpty), 'Arguments that replace the command of the image.', ['--verbose']),
};

export const app: ObjectShape = object({
  key: required(key, 'Key for references, such as `${app.<key>.internal}`.', 'web'),
  name: optional(slug, 'Name of the app in the environment. Default: the key.', 'web'),
  ...source,
  port: optional(port, 'Port on which the app listens.', 3000),
  worker: optional({ is: 'boolean' }, 'Whether the app receives no requests, and so has no port.', true),
  health: optional(anyText, 'Path of the health check.', '/healthz'),
  domains: optional(list(domain), 'Domains of the app.'),
  attach: optional(list(attachment), 'Databases and object stores whose variables the app gets.'),
  env,
  envWhen: optional(
    list(object({ when: { ...when, required: true }, env: { ...env, required: true } })),
    'Environment variables with a condition. These variables override `env`.',
  ),
  limits,
  scale: optional(integer(1), 'Number of replicas.', 2),
  spread: optional({ is: 'boolean' }, 'Whether replicas run on different nodes.', true),
  autoscale: optional(autoscale, 'Autoscaling of replicas by CPU use.'),
  volumes: optional(list(volume), 'Persistent folders of the app.'),
  tcp: optional(list(tcpPort), 'Published TCP ports of the app, for protocols other than HTTP.'),
  files: optional(list(file), 'Small files in the container.'),
  depends_on: dependsOn,
  when,
});

export const job: ObjectShape = object({
  key: required(key, 'Key for references.', 'migrate'),
  name: optional(slug, 'Name of the job. Default: the key.', 'migrate'),
  app: required(key, 'Key of the app whose image, variables and attachments the job uses.', 'web'),
  command: required(words, 'Program of the job, and its arguments.', ['npm', 'run', 'migrate']),
  on: optional(
    text({ oneOf: JOB_MOMENTS }),
    'When the job runs: at the installation, at each update, or both.',
    'always',
  ),
  timeout: optional(
    integer(1, 3600),
    'Maximum time in seconds for the command of the job. After this time, the job fails.',
    600,
  ),
  depends_on: dependsOn,
  when,
});
