import type { Teller } from './notes.ts';
import { at, pairsOf, type Values } from './values.ts';

/** Keys of a Compose service that a template cannot contain, each with the reason. */
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
  init: 'The instance starts every app with an init process.',
  runtime: 'The container runtime cannot be changed.',
  isolation: 'The container runtime cannot be changed.',
  platform: 'The instance uses the image for the CPU architecture of the server.',
  pull_policy: 'The instance always pulls an image that it does not have.',
  stop_signal: 'The stop signal cannot be changed. An app uses the stop signal of its image.',
  stop_grace_period: 'The stop timeout of an app cannot be changed.',
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

/**
 * Keys of a Compose service that need no note, because the import converts them or they request the default behavior of
 * Davit.
 */
const HANDLED = new Set(
  (
    'image build environment env_file ports expose volumes tmpfs configs secrets command entrypoint healthcheck deploy depends_on cpus ' +
    'mem_limit scale labels restart container_name hostname links profiles annotations attach develop label_file'
  ).split(' '),
);

/** Returns whether a key of a Compose service needs no note, because the import handles it or it begins with `x-`. */
export function isHandled(key: string): boolean {
  return HANDLED.has(key) || key.startsWith('x-');
}

/** Adds a note for each key of a Compose service that is left out. */
export function reportLeftOut(service: Values, report: Teller): void {
  for (const key of Object.keys(service)) {
    if (isHandled(key)) continue;
    const why = Object.hasOwn(WHY, key) ? WHY[key] : undefined;
    report.leftOut(key, why ?? 'This key is not supported for an app.');
  }
  reportDeploy(at(service, 'deploy'), report);
  const routed = pairsOf(service.labels).some(([name]) => /^(?:traefik|caddy)/.test(name));
  if (routed) report.changed('labels', 'The labels for a reverse proxy are converted to a domain of the app.');
  else if (at(service, 'labels') !== undefined) report.leftOut('labels', 'Labels of a container are not supported.');
}

function reportDeploy(deploy: unknown, report: Teller): void {
  if (typeof deploy !== 'object' || deploy === null) return;
  for (const key of Object.keys(deploy)) {
    if (key === 'resources' || key === 'replicas' || key === 'restart_policy' || key.startsWith('x-')) continue;
    report.leftOut(`deploy.${key}`, 'The instance decides how it replaces releases and where they run.');
  }
}

/**
 * Root keys of a Compose file that need no note, because other code converts them or they have an effect only if a
 * service uses them.
 */
const ROOT = new Set(['services', 'name', 'version', 'volumes', 'configs', 'networks', 'include', 'secrets']);

/** Adds a note for each root key of a Compose file that the import leaves out. */
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
