import type { Teller } from './notes.ts';
import { usualValue } from './usual-values.ts';
import { at, isValues, pairsOf, type Values } from './values.ts';

/**
 * Map from keys of a Compose service that a template cannot contain to the reason. For any other key, a general reason
 * is used.
 */
const WHY: Record<string, string> = {
  networks: 'All apps of an environment are in the same network and can connect to each other by name.',
  network_mode: 'An app has its own network. Open ports with `tcp`.',
  privileged: 'Apps do not run in privileged mode.',
  devices: 'Apps have no access to devices of the server.',
  device_cgroup_rules: 'Apps have no access to devices of the server.',
  gpus: 'Apps have no access to devices of the server.',
  cap_add: 'Apps cannot get additional capabilities.',
  cap_drop: 'The capabilities of apps cannot be changed.',
  security_opt: 'The isolation of an app cannot be changed.',
  pid: 'An app has its own process namespace.',
  ipc: 'An app shares no memory with other apps.',
  uts: 'An app has its own host name.',
  userns_mode: 'The isolation of an app cannot be changed.',
  cgroup: 'The isolation of an app cannot be changed.',
  cgroup_parent: 'The isolation of an app cannot be changed.',
  sysctls: 'Apps use the kernel settings of the server.',
  ulimits: 'Apps use the kernel limits of the server.',
  shm_size: 'The size of shared memory cannot be set.',
  user: 'An app runs as the user of its image.',
  working_dir: 'An app runs in the working directory of its image.',
  extra_hosts: 'Host names cannot be added to an app.',
  dns: 'Apps use the DNS resolver of the instance.',
  dns_search: 'Apps use the DNS resolver of the instance.',
  dns_opt: 'Apps use the DNS resolver of the instance.',
  domainname: 'The host name of an app cannot be changed.',
  mac_address: 'The MAC address of an app cannot be set.',
  logging: 'The log driver cannot be changed. The instance stores the logs of all apps.',
  extends: '`extends` is not supported. Copy the settings of the other service into this service.',
  read_only: 'The file system of an app cannot be read-only.',
  group_add: 'Groups cannot be added to the user of an app.',
  tty: 'An app has no terminal.',
  stdin_open: 'An app has no terminal.',
  init: 'The init process of an app cannot be turned off.',
  runtime: 'The container runtime cannot be changed.',
  isolation: 'The container runtime cannot be changed.',
  platform: 'The instance uses the image for the CPU architecture of the server.',
  pull_policy: 'The instance pulls the tag `latest` for each deployment, and every other tag only if it is missing.',
  stop_signal: 'A template has no stop signal. Set it in the settings of the app.',
  stop_grace_period: 'A template has no stop timeout. Set it in the settings of the app.',
  pids_limit: 'A template has no limit of processes. Set it in the settings of the app.',
  restart: 'The instance restarts every app that stops. Use a job for a command that runs once.',
  command: 'The command of the image cannot be removed.',
  entrypoint: 'The entry point of the image cannot be removed.',
  labels: 'Labels of a container are not supported.',
  label_file: 'Labels of a container are not supported.',
  annotations: 'Annotations of a container are not supported.',
  develop: 'An instance runs only built images, so settings for development have no effect.',
  attach: 'The instance stores the logs of all apps.',
  use_api_socket: 'Apps have no access to Docker.',
  credential_spec: 'Credentials of a service account are not supported.',
  mem_swappiness: 'An app has only one memory limit.',
  cpu_count: 'Set the limit with `cpus`.',
  cpu_percent: 'Set the limit with `cpus`.',
  cpu_period: 'Set the limit with `cpus`.',
  cpu_quota: 'Set the limit with `cpus`.',
  cpu_rt_period: 'Apps have no real-time scheduling.',
  cpu_rt_runtime: 'Apps have no real-time scheduling.',
  oom_score_adj: 'The out-of-memory (OOM) settings of an app cannot be changed.',
  oom_kill_disable: 'The out-of-memory (OOM) settings of an app cannot be changed.',
  mem_reservation: 'Memory cannot be reserved for an app. Set `limits` instead.',
  memswap_limit: 'An app has only one memory limit.',
  cpu_shares: 'An app has only one CPU limit.',
  cpuset: 'An app has only one CPU limit.',
  blkio_config: 'Apps have no disk limits.',
  storage_opt: 'Apps have no disk limits.',
  volumes_from: 'Apps share no volumes.',
  external_links: 'Links to containers outside this Compose file are not supported.',
  post_start: 'Commands after the start of an app are not supported. Use a job.',
  pre_stop: 'Commands before the stop of an app (pre-stop hooks) are not supported.',
  provider: 'Services of external providers are not supported.',
  models: 'AI models are not supported.',
};

/** Map from keys of a Compose service that a managed database cannot have to the reason. */
const WHY_DATABASE: Record<string, string> = {
  command: 'Command-line parameters of a database cannot be set.',
  entrypoint: 'The entry point of a database cannot be changed.',
  configs: 'Configuration files of a database cannot be set.',
};

const WHY_JOB: Record<string, string> = {
  volumes: 'A job has no volumes.',
  ports: 'A job receives no requests.',
  expose: 'A job receives no requests.',
  healthcheck: 'A job has no health check.',
};

/**
 * Adds a note for each key of a Compose service that still has no note. Other parts of the import add notes about the
 * keys that they convert. Therefore, no key is omitted without a note.
 */
export function reportLeftOut(service: Values, role: 'app' | 'database' | 'job', report: Teller): void {
  if (role === 'app') reportLabels(service.labels, report);
  if (role === 'job' && !isEmpty(service.build)) report.changed('build', 'The job uses the image of its app.');
  reportNames(service, report);
  for (const nested of ['build', 'deploy', 'healthcheck'] as const) reportNested(service, nested, role, report);
  for (const [key, value] of Object.entries(service)) {
    if (key.startsWith('x-') || isEmpty(value) || report.has(key)) continue;
    const usual = usualValue(key, service, role);
    if (usual !== null) report.carried(key, usual);
    else report.leftOut(key, reasonFor(key, role));
  }
}

function reasonFor(key: string, role: 'app' | 'database' | 'job'): string {
  const own = { app: {}, database: WHY_DATABASE, job: WHY_JOB }[role] as Record<string, string>;
  if (Object.hasOwn(own, key)) return own[key] ?? '';
  if (role === 'database' && key !== 'networks') return 'This key is not supported for a database.';
  return Object.hasOwn(WHY, key)
    ? (WHY[key] ?? '')
    : `This key is not supported for ${role === 'app' ? 'an app' : 'a job'}.`;
}

/**
 * Returns whether a value is empty and has no effect. In Compose, only an empty `command` or `entrypoint` has an
 * effect.
 */
function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Adds a note for each key that gives a Compose service an additional name. Davit does not support such names. */
function reportNames(service: Values, report: Teller): void {
  for (const key of ['container_name', 'hostname', 'links']) {
    if (isEmpty(service[key])) continue;
    report.changed(
      key,
      'Apps reach a service only under its name in this file. Addresses in variables and commands contain this name now.',
    );
  }
}

function reportLabels(labels: unknown, report: Teller): void {
  const routed = pairsOf(labels).some(([name]) => /^(?:traefik|caddy)/.test(name));
  if (routed) report.changed('labels', 'The labels for a reverse proxy are converted to a domain of the app.');
}

/** Keys inside `build`, `deploy` and `healthcheck` that need no note, and the note for all other keys. */
const NESTED: Record<'build' | 'deploy' | 'healthcheck', { known: string[]; why: string }> = {
  build: {
    known: ['context', 'dockerfile'],
    why: 'Only the context and the Dockerfile of a build are supported.',
  },
  deploy: {
    known: ['replicas', 'restart_policy', 'resources'],
    why: 'The instance decides how it replaces releases and where they run.',
  },
  healthcheck: {
    known: ['test', 'disable'],
    why: 'The instance checks every app at its own intervals. Change them in the settings of the app.',
  },
};

function reportNested(service: Values, key: keyof typeof NESTED, role: string, report: Teller): void {
  const value = at(service, key);
  const { known, why } = NESTED[key];
  // For a database or a job, other code adds one note about the whole key. The key `deploy` is an exception.
  if (!isValues(value) || (role !== 'app' && key !== 'deploy')) return;
  for (const nested of Object.keys(value)) {
    if (known.includes(nested) || nested.startsWith('x-') || isEmpty(value[nested])) continue;
    // All intervals and timeouts of a health check get only one note.
    if (key === 'healthcheck') report.changed(key, why);
    else report.leftOut(`${key}.${nested}`, why);
  }
  if (key === 'deploy') reportResources(at(value, 'resources'), report);
}

function reportResources(resources: unknown, report: Teller): void {
  if (!isEmpty(at(resources, 'reservations')))
    report.leftOut('deploy.resources.reservations', 'CPU and memory cannot be reserved. Set `limits` instead.');
  const limits = at(resources, 'limits');
  for (const name of isValues(limits) ? Object.keys(limits) : []) {
    if (name === 'cpus' || name === 'memory') continue;
    report.leftOut(`deploy.resources.limits.${name}`, 'A template limits only CPU and memory.');
  }
}

/**
 * Root keys of a Compose file that need no note. Either other code converts the key, or the key has an effect only if a
 * service uses it.
 */
const ROOT = new Set(['services', 'name', 'version', 'volumes', 'configs', 'networks', 'include', 'secrets']);

/** Adds a note for each root key of a Compose file that the import omits. */
export function reportRoot(root: Values, report: Teller): void {
  if (at(root, 'include') !== undefined) report.leftOut('include', 'Other files are not read. Import them separately.');
  for (const [name, volume] of Object.entries((at(root, 'volumes') as Values | undefined) ?? {})) {
    if (at(volume, 'external') !== undefined)
      report.leftOut('volumes', `“${name}” is an existing volume, and its data is not copied.`);
    if (at(volume, 'driver_opts') !== undefined) report.leftOut('volumes', `The location of “${name}” cannot be set.`);
  }
  for (const key of Object.keys(root)) {
    if (ROOT.has(key) || key.startsWith('x-')) continue;
    report.leftOut(key, (key === 'models' && WHY.models) || 'This key is not supported by an instance.');
  }
}
