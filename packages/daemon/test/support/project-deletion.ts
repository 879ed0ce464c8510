/** A project with contents of every kind, and the request for its deletion, in an environment without HTTP. */
import assert from 'node:assert/strict';
import { ObjectStoreCreate, type ProjectDeletion } from '@davit/api';
import { lookUp, type ProjectTarget } from '../../src/authorization/lookup.ts';
import { appBySlugs } from '../../src/db/tables/app.ts';
import { insertSchedule } from '../../src/db/tables/schedule.ts';
import { createObjectStore } from '../../src/resources/object-stores/managed-store.ts';
import { deleteProjectWithContents, previewProjectDeletion } from '../../src/resources/projects/deletion.ts';
import { putQuota } from '../../src/resources/projects/quota.ts';
import { patchingVariables } from '../../src/resources/variables/level.ts';
import { changeVariables, ofProject } from '../../src/resources/variables/variables.ts';
import { type Asking, requestInstall, succeed } from './install-steps.ts';
import { TaskHarness } from './task-harness.ts';

const TEMPLATE = `version: 1
project: shop
minCubeship: ">=0.9.0"
inputs:
  - {key: domain, type: domain, label: Domain}
databases: [{key: db, engine: redis}]
apps:
  - key: web
    image: registry.test/acme/web
    tag: "1"
    port: 80
    attach: [{database: db}]
    volumes: [{path: /data}]
    tcp: [{port: 22}]
    domains: [{host: "\${input.domain}"}]
`;

const NO_LIMITS = { replicas: null, memory_bytes: null, cpu: null, pids: null, volumes: null, databases: null };

export function shop({ core, ctx }: Asking): ProjectTarget {
  return lookUp(core.store, ctx.actor, 'administer', 'project', { project: 'shop' });
}

/** Returns an environment whose project `shop` has an installation, an object store, a quota and variables. */
export async function fullProject(): Promise<TaskHarness> {
  const harness = await TaskHarness.make();
  const { core, ctx } = harness;
  await succeed(harness, await requestInstall(harness, TEMPLATE, { inputs: { domain: 'shop.example.com' } }));
  const environment = lookUp(core.store, ctx.actor, 'administer', 'environment', {
    project: 'shop',
    environment: 'production',
  });
  await succeed(harness, createObjectStore(core, ctx, environment, ObjectStoreCreate.parse({ name: 'files' })));
  putQuota(core, ctx, shop(harness), { ...NO_LIMITS, disk_bytes: 1_000_000_000 });
  changeVariables(core, ctx, ofProject(shop(harness)), patchingVariables({ set: { A: '1' }, unset: [], secret: [] }));
  const app = appBySlugs(core.store, 'shop', 'production', 'web') ?? assert.fail('there is no app');
  const nightly = { name: 'nightly', cron: '0 3 * * *', timeZone: 'UTC', command: ['true'], timeoutS: 60 };
  core.store.tx((tx) => insertSchedule(tx, app.id, 'ada', { ...nightly, enabled: true, nextRunAt: null }, core.now()));
  await harness.reconcile();
  return harness;
}

export function preview({ core, ctx }: Asking): ProjectDeletion {
  return previewProjectDeletion(core, ctx, shop({ core, ctx }));
}

/**
 * Requests the deletion of the project `shop`.
 * @returns the number of the task
 */
export function requestDeletion({ core, ctx }: Asking, checksum = preview({ core, ctx }).checksum): number {
  return deleteProjectWithContents(core, ctx, shop({ core, ctx }), { confirm: 'shop', checksum });
}
