import assert from 'node:assert/strict';
import test from 'node:test';
import { adviceOf, meaningOf } from '../../test/support/drafts.ts';
import type { Draft } from '../draft.ts';

/** Template with as many problems as a single template can have. */
const DRAFT: Draft = {
  version: 1,
  minCubeship: 'soon',
  project: 'shop',
  inputs: [
    { key: 'a', type: 'secret', label: 'x', generate: 1 },
    { key: 'a', type: 'text', label: 'x' },
  ],
  databases: [
    { key: 'settings', engine: 'oracle' },
    { key: 'db', engine: 'postgres', limits: { cpu: 0 } },
  ],
  stores: [{ key: 'providers', limits: { cpu: 0 } }],
  apps: [
    {
      key: 'web',
      autoscale: { max: 0, cpu: 1 },
      tcp: [{ port: 1, host: 'x' }],
      volumes: [{ path: 'x' }],
      limits: { memory: 'x' },
      env: { B: '${db.x.host}', A: '${db.x.host}', DATABASE_URL: '', Z: '${db.x.host}' },
      attach: [{ database: 'db' }, { database: 'db' }],
      domains: [{ host: 'x' }],
      health: 'x',
    },
    { key: 'web', image: 'a:b' },
  ],
};

test('reports semantic problems in a fixed order', () => {
  assert.deepEqual(meaningOf(DRAFT), [
    'key.duplicate inputs.1.key',
    'name.reserved databases.0.name',
    'name.reserved stores.0.name',
    'key.duplicate apps.1.key',
    'name.duplicate apps.1.name',
    'version.range minCubeship',
    'input.generate inputs.0.generate',
    'engine.unknown databases.0.engine',
    'limits.cpu databases.1.limits.cpu',
    'limits.cpu stores.0.limits.cpu',
    'source.missing apps.0.image',
    'health.path apps.0.health',
    'domain.literal apps.0.domains.0.host',
    'attach.collision apps.0.attach.1.prefix',
    'reference.unknown apps.0.env.A',
    'reference.unknown apps.0.env.B',
    'attach.collision apps.0.env.DATABASE_URL',
    'reference.unknown apps.0.env.Z',
    'limits.memory apps.0.limits.memory',
    'volume.path apps.0.volumes.0.path',
    'volume.one-copy apps.0.volumes',
    'tcp.host apps.0.tcp.0.host',
    'tcp.one-copy apps.0.tcp',
    'autoscale.range apps.0.autoscale.max',
    'autoscale.range apps.0.autoscale.min',
    'image.tagged apps.1.image',
  ]);
});

test('reports advice of the older format first, databases before apps', () => {
  assert.deepEqual(adviceOf(DRAFT).slice(0, 9), [
    'advice.unpinned-engine databases.0.engine',
    'advice.unpinned-engine databases.1.engine',
    'advice.no-health apps.1.key',
    'advice.floating-tag apps.1.image',
    'advice.dockerhub apps.1.image',
    'advice.no-limits apps.1.key',
    'advice.unreachable-app apps.1.key',
    'advice.unused inputs.0.key',
    'advice.unused inputs.1.key',
  ]);
});
