/** Every key of the Compose specification leads to a note or to a refusal. None is left out without one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { importCompose } from './import.ts';
import type { ImportNote } from './notes.ts';

/** All keys of a service in the Compose specification, each with a value that is not the default. */
const KEYS: Record<string, unknown> = {
  annotations: { a: 'b' },
  attach: false,
  blkio_config: { weight: 300 },
  build: { context: 'https://github.com/a/b.git' },
  cap_add: ['ALL'],
  cap_drop: ['ALL'],
  cgroup: 'host',
  cgroup_parent: 'm-executor-abcd',
  command: ['serve'],
  configs: ['unknown'],
  container_name: 'other',
  cpu_count: 2,
  cpu_percent: 50,
  cpu_period: '20ms',
  cpu_quota: '40ms',
  cpu_rt_period: '1400us',
  cpu_rt_runtime: '400ms',
  cpu_shares: 512,
  cpus: 0.5,
  cpuset: '0,1',
  credential_spec: { file: 'a.json' },
  depends_on: ['missing'],
  deploy: { replicas: 2 },
  develop: { watch: [{ path: '.', action: 'rebuild' }] },
  device_cgroup_rules: ['c 1:3 mr'],
  devices: ['/dev/a:/dev/b'],
  dns: '8.8.8.8',
  dns_opt: ['use-vc'],
  dns_search: 'example.com',
  domainname: 'example.com',
  entrypoint: ['/start'],
  env_file: 'missing.env',
  environment: { A: '1' },
  expose: ['3000'],
  extends: { service: 'other' },
  external_links: ['redis'],
  extra_hosts: ['somehost:162.242.195.82'],
  gpus: 'all',
  group_add: ['mail'],
  healthcheck: { test: ['CMD', 'true'] },
  hostname: 'other',
  init: false,
  ipc: 'host',
  isolation: 'default',
  label_file: './app.labels',
  labels: { a: 'b' },
  links: ['missing:alias'],
  logging: { driver: 'syslog' },
  mac_address: '02:42:ac:11:65:43',
  mem_limit: '512m',
  mem_reservation: '256m',
  mem_swappiness: 10,
  memswap_limit: '1g',
  models: ['ai'],
  network_mode: 'host',
  networks: ['back'],
  oom_kill_disable: true,
  oom_score_adj: 100,
  pid: 'host',
  pids_limit: 10,
  platform: 'linux/arm64',
  ports: ['8080:8080'],
  post_start: [{ command: 'true' }],
  pre_stop: [{ command: 'true' }],
  privileged: true,
  profiles: ['debug'],
  provider: { type: 'awesomecloud' },
  pull_policy: 'never',
  pull_refresh_after: '1d',
  read_only: true,
  restart: 'no',
  runtime: 'runc',
  scale: 2,
  secrets: ['missing'],
  security_opt: ['label:user:USER'],
  shm_size: '64m',
  stdin_open: true,
  stop_grace_period: '1m30s',
  stop_signal: 'SIGUSR1',
  storage_opt: { size: '1G' },
  sysctls: { 'net.core.somaxconn': 1024 },
  tmpfs: ['/run'],
  tty: true,
  ulimits: { nproc: 65535 },
  use_api_socket: true,
  user: '1000',
  userns_mode: 'host',
  uts: 'host',
  volumes: ['data:/data'],
  volumes_from: ['other'],
  working_dir: '/app',
};

/** Keys of nested mappings in the Compose specification. */
const NESTED: Record<string, Record<string, unknown>> = {
  build: {
    additional_contexts: { a: '..' },
    args: { A: '1' },
    cache_from: ['a'],
    cache_to: ['a'],
    dockerfile: 'other.Dockerfile',
    dockerfile_inline: 'FROM a',
    entitlements: ['network.host'],
    extra_hosts: ['a:1.1.1.1'],
    isolation: 'default',
    labels: ['a'],
    network: 'host',
    no_cache: true,
    platforms: ['linux/arm64'],
    privileged: true,
    provenance: true,
    pull: true,
    sbom: true,
    secrets: ['a'],
    shm_size: '1g',
    ssh: ['default'],
    tags: ['a'],
    target: 'prod',
    ulimits: { nproc: 1 },
  },
  deploy: {
    endpoint_mode: 'vip',
    labels: { a: 'b' },
    mode: 'global',
    placement: { constraints: ['node.role==manager'] },
    replicas: 2,
    restart_policy: { condition: 'none' },
    rollback_config: { order: 'stop-first' },
    update_config: { parallelism: 2 },
  },
  'deploy.resources': { limits: { pids: 10 }, reservations: { cpus: '0.25' } },
  'deploy.resources.limits': { cpus: '0.5', memory: '50M', pids: 10 },
  healthcheck: {
    disable: true,
    interval: '1m',
    retries: 3,
    start_interval: '5s',
    start_period: '40s',
    test: ['NONE'],
    timeout: '10s',
  },
};

/** Keys that a template, an app or a database can never have. */
const UNSUPPORTED = Object.keys(KEYS).filter(
  (key) =>
    !/^(?:build|command|configs|cpus|deploy|entrypoint|environment|expose|healthcheck|mem_limit|ports|profiles|scale|secrets|volumes)$/.test(
      key,
    ),
);

const ROLES = {
  app: { image: 'acme/web:1' },
  database: { image: 'postgres:17' },
  job: { image: 'acme/web:1', command: 'migrate' },
};

/** Returns the notes about a service of each role with these keys, or `null` if the import refuses the file. */
function notesOf(role: keyof typeof ROLES, values: object): ImportNote[] | null {
  const others = { image: 'acme/web:1', depends_on: { it: { condition: 'service_completed_successfully' } } };
  const main = role === 'job' ? others : { image: 'acme/web:1' };
  const made = importCompose(stringify({ services: { main, it: { ...ROLES[role], ...values } } }));
  return made.ok ? made.notes.filter(({ service }) => service === 'it') : null;
}

/** Returns whether notes are about a key, about a key above or below it, or about the whole service. */
function isNoted(notes: ImportNote[] | null, path: string): boolean {
  if (notes === null) return true;
  return notes.some(
    ({ key, kind }) =>
      `${key}.`.startsWith(`${path}.`) || (key === 'service' && kind === 'left-out') || isAbove(key, path, kind),
  );
}

/** A note about the key above is enough only if it says that something changed. */
function isAbove(key: string, path: string, kind: ImportNote['kind']): boolean {
  return path.startsWith(`${key}.`) && kind !== 'carried';
}

const valueAt = (path: string, value: object) =>
  path.split('.').reduceRight<object>((inner, key) => ({ [key]: inner }), value);

describe('a key of the Compose specification', () => {
  for (const role of ['app', 'database', 'job'] as const) {
    test(`leads to a note for a service that becomes a ${role}`, () => {
      const silent = Object.entries(KEYS).filter(([key, value]) => !isNoted(notesOf(role, { [key]: value }), key));
      assert.deepEqual(silent, []);
    });

    test(`leads to a note for a service that becomes a ${role}, also below another key`, () => {
      const silent = Object.entries(NESTED).flatMap(([above, keys]) =>
        Object.entries(keys).filter(
          ([key, value]) => !isNoted(notesOf(role, valueAt(above, { [key]: value })), `${above}.${key}`),
        ),
      );
      assert.deepEqual(silent, []);
    });
  }

  test('is not reported as converted if an app cannot have it', () => {
    const wrong = UNSUPPORTED.filter((key) => {
      const notes = notesOf('app', { [key]: KEYS[key] }) ?? [];
      return notes.some((note) => note.key === key && note.kind === 'carried');
    });
    assert.deepEqual(wrong, []);
  });

  test('leads to a note with every value that is not empty', () => {
    const scalar = fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.integer({ min: 1 }), fc.constant(true));
    const value = fc.oneof(
      scalar,
      fc.array(scalar, { minLength: 1, maxLength: 2 }),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), scalar, { minKeys: 1, maxKeys: 2 }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(KEYS)),
        fc.constantFrom('app', 'database', 'job'),
        value,
        (key, role, given) => {
          assert.ok(isNoted(notesOf(role as keyof typeof ROLES, { [key]: given }), key), `${role} ${key}`);
        },
      ),
      { seed: 7, numRuns: 400 },
    );
  });

  test('leads to a note if it is not in the specification, unless it begins with x-', () => {
    assert.ok(isNoted(notesOf('app', { caproverExtra: { a: 1 } }), 'caproverExtra'));
    assert.ok(isNoted(notesOf('database', { unknown: 1 }), 'unknown'));
    assert.equal(isNoted(notesOf('app', { 'x-own': 1 }), 'x-own'), false);
  });
});
