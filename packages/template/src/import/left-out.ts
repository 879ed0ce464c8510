import type { Teller } from './notes.ts';
import { at, pairsOf, type Values } from './values.ts';

/** Keys of a service without a counterpart, with the reason. */
const WHY: Record<string, string> = {
  networks: 'Every app of an environment reaches every other by its name: there are no networks to divide them.',
  network_mode: 'An app has its own network; ports are opened with `tcp`.',
  privileged: 'No app has more rights than its container needs.',
  devices: 'An app sees no devices of the machine.',
  device_cgroup_rules: 'An app sees no devices of the machine.',
  gpus: 'An app sees no devices of the machine.',
  cap_add: 'An app gets no further rights.',
  cap_drop: 'An app gets no further rights; none can be taken, either.',
  security_opt: 'The instance sets how apps are kept apart.',
  pid: 'An app sees no processes but its own.',
  ipc: 'An app shares no memory with others.',
  uts: 'An app has a name of its own.',
  userns_mode: 'The instance sets how apps are kept apart.',
  cgroup: 'The instance sets how apps are kept apart.',
  cgroup_parent: 'The instance sets how apps are kept apart.',
  sysctls: 'The settings of the kernel are those of the machine.',
  ulimits: 'The limits of the kernel are those of the machine.',
  shm_size: 'The size of shared memory cannot be set.',
  env_file: 'Its variables are not in this file: add those that the app needs to `env`.',
  secrets: 'Secrets are variables: declare an input of type secret and refer to it in `env`.',
  user: 'An app runs as the user of its image.',
  working_dir: 'An app runs in the folder of its image.',
  extra_hosts: 'No names can be added for an app.',
  dns: 'An app asks the instance for names.',
  dns_search: 'An app asks the instance for names.',
  dns_opt: 'An app asks the instance for names.',
  domainname: 'An app is known by its name in the instance.',
  mac_address: 'An app has no address of its own choice.',
  logging: 'The instance keeps the logs.',
  extends: 'What another service or file says is not read: write it into this one.',
  read_only: 'An app may write in its container.',
  group_add: 'An app runs in the groups of its image.',
  tty: 'An app has no terminal.',
  stdin_open: 'An app has no terminal.',
  init: 'The instance starts every app with an init of its own.',
  runtime: 'The instance chooses what runs containers.',
  isolation: 'The instance chooses what runs containers.',
  platform: 'The image is the one of the machine’s own kind.',
  pull_policy: 'The instance pulls what it does not have.',
  stop_signal: 'An app is asked to end with the signal of its image.',
  stop_grace_period: 'How long an app may take to end is set on the instance.',
  oom_score_adj: 'The instance sets what ends when memory does.',
  oom_kill_disable: 'The instance sets what ends when memory does.',
  mem_reservation: 'Nothing is reserved for an app; `limits` says what it may take.',
  memswap_limit: 'Memory has one limit.',
  cpu_shares: 'Processors have one limit.',
  cpuset: 'Processors have one limit.',
  blkio_config: 'Disks have no limits.',
  storage_opt: 'Disks have no limits.',
  volumes_from: 'Apps share no volumes.',
  external_links: 'What is outside of the file is not known.',
  post_start: 'Nothing is run in an app after its start: use a job.',
  pre_stop: 'Nothing is run in an app before its end.',
  provider: 'What starts things outside of Compose is not known.',
  models: 'Models are not started by an instance.',
};

/** Keys that other code handles, or that match the default behavior of an instance. */
const HANDLED = new Set(
  (
    'image build environment ports expose volumes tmpfs configs command entrypoint healthcheck deploy depends_on cpus ' +
    'mem_limit scale labels restart container_name hostname links profiles annotations attach develop label_file'
  ).split(' '),
);

/**
 * Returns whether a key needs no note: other code handles it, an instance does so by default, or it is an extension
 * field.
 */
export function isHandled(key: string): boolean {
  return HANDLED.has(key) || key.startsWith('x-');
}

/** Adds notes on all keys of a service that are left out. */
export function tellLeftOut(service: Values, tell: Teller): void {
  for (const key of Object.keys(service)) {
    if (isHandled(key)) continue;
    const why = Object.hasOwn(WHY, key) ? WHY[key] : undefined;
    tell.leftOut(key, why ?? 'It is not known what this means for an app.');
  }
  tellDeploy(at(service, 'deploy'), tell);
  const routed = pairsOf(service.labels).some(([name]) => /^(?:traefik|caddy)/.test(name));
  if (routed) tell.changed('labels', 'What they tell a reverse proxy is now a domain of the app.');
  else if (at(service, 'labels') !== undefined) tell.leftOut('labels', 'Labels of a container have no counterpart.');
}

function tellDeploy(deploy: unknown, tell: Teller): void {
  if (typeof deploy !== 'object' || deploy === null) return;
  for (const key of Object.keys(deploy)) {
    if (key === 'resources' || key === 'replicas' || key === 'restart_policy' || key.startsWith('x-')) continue;
    tell.leftOut(`deploy.${key}`, 'The instance decides how releases are replaced and where they run.');
  }
}

/** Root keys that other code handles, or that have no effect alone. */
const ROOT = new Set(['services', 'name', 'version', 'volumes', 'configs', 'networks', 'include', 'secrets']);

/** Adds notes on the keys at the root of the file. */
export function tellRoot(root: Values, tell: Teller): void {
  if (at(root, 'include') !== undefined) tell.leftOut('include', 'Other files are not read: import them on their own.');
  for (const [name, volume] of Object.entries((at(root, 'volumes') as Values | undefined) ?? {})) {
    if (at(volume, 'external') !== undefined)
      tell.leftOut('volumes', `“${name}” is there already: its data is not taken over.`);
    if (at(volume, 'driver_opts') !== undefined) tell.leftOut('volumes', `Where “${name}” is kept cannot be chosen.`);
  }
  for (const key of Object.keys(root)) {
    if (ROOT.has(key) || key.startsWith('x-')) continue;
    tell.leftOut(key, (key === 'models' && WHY.models) || 'It is not known what this means for an instance.');
  }
  if (at(root, 'secrets') !== undefined) tell.leftOut('secrets', 'Declare inputs of type secret in their place.');
}
