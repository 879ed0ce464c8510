import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  App,
  Certificate,
  Database,
  Deployment,
  Instance,
  ObjectStore,
  OwnRegistry,
  Task,
  TemplateInstall,
} from '@davit/api';
import { type Sight, troublesOf } from './troubles.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const DAY = 86_400_000;
const MAIN = 'shop/production/main';
const INSTANCE = { engine: { available: true }, disk: null, warnings: [] } as unknown as Instance;

function see(sight: Partial<Sight>) {
  return troublesOf({ apps: [], instance: INSTANCE, now: NOW, ...sight });
}

const said = (sight: Partial<Sight>) => see(sight).map(({ tone, what }) => `${tone}: ${what}`);

function app(status: App['status'], ready = 0): App {
  const replicas = [0, 1].map((n) => ({ deployment: 7, state: n < ready ? 'ready' : 'down' }));
  return { reference: 'shop/production/web', status, replicas, live_deployment: 7 } as unknown as App;
}

function certificate(more: Partial<Certificate>): Certificate {
  const not_after = new Date(NOW + 60 * DAY).toISOString();
  const renews_at = new Date(NOW + 30 * DAY).toISOString();
  const common = { id: 3, hosts: ['a.example', 'b.example'], used_by: ['shop/production/web'], status: 'active' };
  return { ...common, not_after, renews_at, problem: null, ...more } as Certificate;
}

function deployment(id: number, status: Deployment['status'], reference = 'shop/production/web'): Deployment {
  return {
    id,
    app: reference,
    tag: `v${id}`,
    status,
    error: status === 'failed' ? 'It did not answer.' : null,
  } as Deployment;
}

test('reports no problems for a healthy instance', () => {
  const registry = { status: 'read_only', problem: null } as OwnRegistry;
  const apps = [app('running', 2), app('pending'), app('stopped')];
  const instance = { ...INSTANCE, disk: { state: 'ok' } } as Instance;
  assert.deepEqual(
    see({ apps, registry, instance, certificates: [certificate({})], deployments: [deployment(1, 'succeeded')] }),
    [],
  );
});

test('reports that data could not be loaded after errors and before other warnings', () => {
  const instance = { ...INSTANCE, warnings: ['Nothing real runs.'] };
  const loadError = new Error('The daemon is busy.');
  assert.deepEqual(said({ apps: [app('down')], instance, loadError }), [
    'error: shop/production/web is down',
    'warning: Cannot check all parts of the instance',
    'warning: Nothing real runs.',
  ]);
  assert.equal(see({ loadError })[0]?.why, 'The daemon is busy.');
  assert.deepEqual(see({ loadError: null }), []);
});

test('reports a down app as error and a degraded app as warning', () => {
  const found = see({ apps: [app('degraded', 1), { ...app('down'), reference: 'blog/staging/site' }] });
  assert.deepEqual(
    found.map(({ tone, what, why, to }) => [tone, what, why, to]),
    [
      ['error', 'blog/staging/site is down', 'No replica is healthy.', '/projects/blog/staging/site'],
      ['warning', 'shop/production/web is degraded', 'Healthy replicas: 1 of 2.', '/projects/shop/production/web'],
    ],
  );
});

test('reports failures of Docker, registry and disk as errors', () => {
  const registry = { status: 'unavailable', problem: 'Port 5000 is taken.' } as OwnRegistry;
  const disk = { state: 'refusing', path: '/var/lib/davit' };
  const instance = { ...INSTANCE, engine: { available: false }, disk } as Instance;
  assert.deepEqual(said({ instance, registry }), [
    'error: Docker does not respond',
    'error: The registry is not running',
    'error: The disk is full',
  ]);
  assert.equal(see({ registry })[0]?.why, 'Port 5000 is taken.');
  assert.deepEqual(said({ instance: { ...INSTANCE, disk: { ...disk, state: 'warning' } } as Instance }), [
    'warning: The disk is almost full',
  ]);
});

test('reports a failed deployment only if no newer deployment of the app exists', () => {
  assert.deepEqual(said({ deployments: [deployment(2, 'failed'), deployment(1, 'succeeded')] }), [
    'warning: The last deployment of shop/production/web failed (v2)',
  ]);
  assert.deepEqual(see({ deployments: [deployment(3, 'succeeded'), deployment(2, 'failed')] }), []);
  const [found] = see({ deployments: [deployment(9, 'succeeded', 'a/b/c'), deployment(2, 'failed')] });
  assert.deepEqual([found?.why, found?.to], ['It did not answer.', '/projects/shop/production/web/deployments/2']);
});

test('reports expired, expiring and unrenewable certificates in use', () => {
  const after = (days: number) => new Date(NOW + days * DAY).toISOString();
  const certificates = [
    certificate({ not_after: after(-1), status: 'expired' }),
    certificate({ not_after: after(20), renews_at: null }),
    certificate({ not_after: after(20) }),
    certificate({ not_after: after(4.5) }),
    certificate({ problem: 'The authority is away.' }),
    certificate({ not_after: after(-1), status: 'expired', used_by: [] }),
  ];
  assert.deepEqual(said({ certificates }), [
    'error: The certificate for a.example, b.example has expired',
    'warning: The certificate for a.example, b.example expires in 20 days',
    'warning: The certificate for a.example, b.example expires in 4 days',
    'warning: The certificate for a.example, b.example could not be renewed',
  ]);
});

test('shows warnings of the instance unchanged', () => {
  assert.deepEqual(said({ instance: { ...INSTANCE, warnings: ['Nothing real runs.'] } }), [
    'warning: Nothing real runs.',
  ]);
});

test('reports down, degraded and failed databases with a link to the database', () => {
  const database = (status: Database['status']) =>
    ({ reference: 'shop/production/main', status, status_reason: 'It was killed.' }) as Database;
  assert.deepEqual(said({ databases: [database('down')] }), ['error: The database shop/production/main is down']);
  assert.deepEqual(said({ databases: [database('degraded')] }), [
    'warning: The database shop/production/main is degraded',
  ]);
  assert.deepEqual(said({ databases: [database('failed')] }), [
    'error: The database shop/production/main could not be created',
  ]);
  assert.deepEqual(said({ databases: [database('running'), database('stopped'), database('provisioning')] }), []);
  const [trouble] = see({ databases: [database('down')] });
  assert.deepEqual([trouble?.why, trouble?.to], ['It was killed.', '/databases/shop/production/main']);
});

test('reports failed creations and broken object stores with a link to the resource', () => {
  const created_at = new Date(NOW - DAY).toISOString();
  const task = (id: number, kind: string, subject: Task['subject']) =>
    ({ id, kind, subject, status: 'failed', error: 'No image.', created_at }) as Task;
  const tasks = [
    task(2, 'object_store.create', { kind: 'object_store', name: 'files' }),
    task(1, 'database.create', { kind: 'database', name: MAIN }),
  ];
  const store = (status: ObjectStore['status']) => ({ name: 'media', status, status_reason: null }) as ObjectStore;
  const blog = { id: 4, title: 'Blog', project: 'shop', environment: 'production', status: 'failed', error: 'Full.' };
  const installs = [blog as TemplateInstall];

  const objectStores = [store('down'), store('running'), store('linked')];
  const found = see({ tasks, installs, databases: [], objectStores });

  assert.deepEqual(
    found.map(({ tone, what, why, to }) => [tone, what, why, to]),
    [
      ['error', 'The object store media is down', null, '/object-stores/media'],
      ['error', 'The object store files could not be created', 'No image.', '/object-stores/files'],
      ['error', `The database ${MAIN} could not be created`, 'No image.', `/databases/${MAIN}`],
      ['error', 'The installation of Blog in shop/production failed', 'Full.', '/installs/4'],
    ],
  );
  assert.deepEqual(said({ tasks }), []);
});

test('reports a failed installation until a later one into the same environment succeeded', () => {
  const install = (id: number, status: TemplateInstall['status'], environment = 'production') =>
    ({ id, title: 'Blog', project: 'shop', environment, status, error: 'Full.' }) as TemplateInstall;
  const failed = ['error: The installation of Blog in shop/production failed'];
  assert.deepEqual(said({ installs: [install(3, 'installed'), install(2, 'failed'), install(1, 'failed')] }), []);
  assert.deepEqual(said({ installs: [install(2, 'updating'), install(1, 'failed')] }), []);
  assert.deepEqual(said({ installs: [install(2, 'failed'), install(1, 'installed')] }), failed);
  assert.deepEqual(said({ installs: [install(2, 'installed', 'staging'), install(1, 'failed')] }), failed);
  for (const status of ['uninstalling', 'uninstalled'] as const)
    assert.deepEqual(said({ installs: [install(2, status), install(1, 'failed')] }), [], status);
  assert.deepEqual(said({ installs: [install(2, 'installing'), install(1, 'failed')] }), failed);
});
