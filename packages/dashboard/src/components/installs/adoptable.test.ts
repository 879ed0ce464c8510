import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Manifest } from '../templates/manifest.ts';
import { adoptable } from './adoptable.ts';

const MANIFEST = {
  databases: [
    { key: 'db', engine: 'postgres' },
    { key: 'cache', engine: 'redis' },
  ],
  apps: [{ volumes: [{ path: '/data' }] }],
} as Manifest;

const TARGET = { project: 'shop', environment: 'production', inputs: {} };
const database = (reference: string, engine: 'postgres' | 'mysql') => {
  const [project = '', environment = ''] = reference.split('/');
  return { reference, project, environment, engine };
};

it('offers matching databases of the environment and volumes of an earlier installation', () => {
  const databases = [
    database('shop/production/main', 'postgres'),
    database('shop/production/other', 'mysql'),
    database('shop/staging/main', 'postgres'),
  ];
  assert.deepEqual(adoptable(MANIFEST, TARGET, { installs: [], databases }), {
    choices: [{ key: 'db', references: ['shop/production/main'] }],
    hasVolumes: false,
  });
  const installs = [{ project: 'shop', environment: 'production', status: 'uninstalled' as const }];
  assert.ok(adoptable(MANIFEST, TARGET, { installs, databases: [] }).hasVolumes);
});
