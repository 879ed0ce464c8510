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

const dependsOn: Field = optional(list(key), 'Keys of apps and jobs that have to be there before it starts.', ['web']);

/** A command: a program and its arguments, which may be empty, as in `--save ""`. */
const words: ListShape = { ...list(textOrEmpty, 1), first: anyText };

const domain = object({
  host: required(anyText, 'Exactly one reference to an input of type domain.', '${input.domain}'),
  port: optional(port, 'Where requests go; the port of the app unless said.', 3000),
  when,
});

const attachment = object({
  database: optional(key, 'The key of a database whose address and password the app gets as variables.', 'db'),
  store: optional(key, 'The key of a store, or of an input of type store.', 'files'),
  bucket: optional(anyText, 'Which bucket of the store.', 'uploads'),
  prefix: optional(textOrEmpty, 'Put before the names of the variables, as `CACHE_`.', 'CACHE_'),
  when,
});

const autoscale = object({
  min: optional(integer(), 'Copies at least; 1 unless said.', 1),
  max: required(integer(), 'Copies at most, up to 100.', 4),
  cpu: required({ is: 'number' }, 'The load of a processor, in percent, above which a copy is added.', 80),
});

const volume = object({
  path: required(anyText, 'Where it is mounted.', '/data'),
  size: optional({ is: 'amount' }, 'How much room it is expected to need, such as `10Gi`.', '10Gi'),
  when,
});

const tcpPort = object({
  port: required(port, 'The port of the container.', 22),
  host: optional({ is: 'hostPort' }, 'The port of the host, or `${input.<key>}`; picked unless said.', 2222),
  when,
});

const file = object({
  path: required(anyText, 'Where it is in the container.', '/etc/app/config.yaml'),
  content: required(textOrEmpty, 'What is in it; references are filled in.'),
  mode: optional(fileMode, 'Who may read and write it, in octal and quotes; `0644` unless said.', '0644'),
});

const env: Field = optional({ is: 'variables' }, 'Variables; references in values are filled in.', {
  LOG_LEVEL: 'info',
});

const source: Record<string, Field> = {
  image: optional(anyText, 'The image to run, without its tag.', 'ghcr.io/umami-software/umami'),
  tag: optional(imageTag, 'The tag of the image.', 'v2.19.0'),
  repo: optional(anyText, 'The repository to build from, instead of an image.', 'https://github.com/acme/shop'),
  ref: optional(anyText, 'The branch or tag of the repository.', 'main'),
  build: optional(text({ oneOf: ['dockerfile', 'railpack'] }), 'How the repository is built.', 'dockerfile'),
  dockerfile: optional(anyText, 'The Dockerfile within the repository.', 'Dockerfile'),
  command: optional(words, 'What is run instead of the image’s entry point, in words.', ['node', 'server.js']),
  args: optional(list(textOrEmpty), 'What is passed to it, in words.', ['--verbose']),
};

export const app: ObjectShape = object({
  key: required(key, 'What the file refers to it by, as `${app.<key>.internal}`.', 'web'),
  name: optional(slug, 'Its name in the environment; the key unless said.', 'web'),
  ...source,
  port: optional(port, 'Where it listens.', 3000),
  health: optional(anyText, 'The path that answers when it is well.', '/healthz'),
  domains: optional(list(domain), 'Where it is reached from outside.'),
  attach: optional(list(attachment), 'Databases and stores it gets the variables of.'),
  env,
  envWhen: optional(
    list(object({ when: { ...when, required: true }, env: { ...env, required: true } })),
    'Variables that are there only under a condition; they win over `env`.',
  ),
  limits,
  scale: optional(integer(1), 'How many copies run.', 2),
  spread: optional({ is: 'boolean' }, 'Whether its copies keep to different machines.', true),
  autoscale: optional(autoscale, 'Copies by load.'),
  volumes: optional(list(volume), 'What outlives its container.'),
  tcp: optional(list(tcpPort), 'Ports that are no HTTP.'),
  files: optional(list(file), 'Small files that are put into the container.'),
  depends_on: dependsOn,
  when,
});

export const job: ObjectShape = object({
  key: required(key, 'What the file refers to it by.', 'migrate'),
  name: optional(slug, 'Its name; the key unless said.', 'migrate'),
  app: required(key, 'The key of the app whose image, variables and attachments it runs with.', 'web'),
  command: required(words, 'What is run, in words.', ['npm', 'run', 'migrate']),
  on: optional(
    text({ oneOf: JOB_MOMENTS }),
    'When it runs: at the first install, at each update, or at both.',
    'always',
  ),
  timeout: optional(integer(1, 3600), 'Seconds until it counts as failed.', 600),
  depends_on: dependsOn,
  when,
});
