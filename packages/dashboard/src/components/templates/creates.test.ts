import assert from 'node:assert/strict';
import { it } from 'node:test';
import { thingsOf } from './creates.ts';
import type { Manifest } from './manifest.ts';

const MANIFEST: Manifest = {
  ...{ schema_version: 1, min_cubeship: null, project: 'shop', environment: 'production' },
  inputs: [
    { key: 'domain', type: 'domain', label: 'Where it answers', required: true },
    { key: 'mail', type: 'choice', label: 'Mail', required: true, options: ['smtp', 'none'] },
  ],
  databases: [
    {
      ...{ key: 'db', name: 'db', engine: 'postgres', version: '17', extensions: ['vector'], username: null },
      ...{ database: null, expose: null, limits: { cpu: null, memory_bytes: 512 * 2 ** 20 }, port: 5432 },
    },
  ],
  stores: [],
  apps: [
    {
      ...{ key: 'web', name: 'web', source: { type: 'image', image: 'acme/web', tag: '1.2' }, port: 80, health: null },
      domains: [{ host: '${input.'.concat('domain}'), port: 80 }],
      attach: [{ kind: 'database', key: 'db', bucket: null, prefix: '' }],
      ...{ env: {}, limits: { cpu: 0.5, memory_bytes: 2 ** 30 }, scale: 2, spread: false, autoscale: null },
      volumes: [{ path: '/data', when: { input: 'mail', equals: 'smtp' } }],
      ...{ tcp: [], internal_host: 'web.production.shop.internal' },
    },
  ],
  jobs: [
    { key: 'seed', name: 'seed', app: 'web', command: ['seed', 'all'], on: 'install', timeout: 60, depends_on: [] },
  ],
};

it('lists the facts of every app, database and job in a template', () => {
  const listed = thingsOf(MANIFEST).map(({ kind, name, facts }) => [kind, name, Object.fromEntries(facts)]);
  assert.deepEqual(listed, [
    [
      'app',
      'web',
      {
        Image: 'acme/web:1.2',
        Domains: '“Where it answers”',
        Volumes: '/data, only when “Mail” is “smtp”',
        Uses: 'database db',
        Replicas: '2',
        Limits: '0.5 CPU, 1 GiB',
      },
    ],
    ['database', 'db', { Engine: 'PostgreSQL 17', Extensions: 'vector', Limits: '512 MiB' }],
    [
      'job',
      'seed',
      { Runs: 'when the template is installed, with the image and variables of web', Command: 'seed all' },
    ],
  ]);
});
