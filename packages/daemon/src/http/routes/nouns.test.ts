import assert from 'node:assert/strict';
import test from 'node:test';
import { type OperationId, operations } from '@davit/api';
import { CoreHarness } from '../../../test/support/core-harness.ts';
import type { OpContext } from '../../auth/context.ts';
import { lookUp } from '../../authorization/lookup.ts';
import type { Binding, Reply } from '../bind.ts';
import { bindings as allBindings } from './index.ts';

const WEB = { project: 'shop', environment: 'production', app: 'web' };

function bindings(harness: CoreHarness): Map<string, Binding> {
  return new Map(allBindings(harness.core).map((binding) => [binding.operation.id, binding]));
}

/** Does the work of a dispatcher before the handler: finds the target and validates the fields. */
async function call(harness: CoreHarness, id: OperationId, sent: Sent = {}): Promise<Reply> {
  const { operation, handler } = bindings(harness).get(id) ?? assert.fail(`${id} is not bound`);
  const { ctx = harness.admin, params = WEB } = sent;
  const target = lookUp(harness.core.store, ctx.actor, operation.permission, operation.scope, params);
  const query = (operation.query?.parse(sent.query ?? {}) ?? {}) as Record<string, never>;
  const body = operation.body?.parse(sent.body);
  return handler({ ctx, target, params, query, body, lastEventId: undefined });
}

interface Sent {
  ctx?: OpContext;
  params?: Record<string, string>;
  query?: object;
  body?: unknown;
}

test('every operation has a handler', () => {
  using harness = new CoreHarness();

  const bound = [...bindings(harness).keys()].sort();

  assert.deepEqual(bound, Object.keys(operations).sort());
});

test('the responses of common operations match their declarations', async () => {
  using harness = CoreHarness.withApp();
  const steps: [OperationId, Sent][] = [
    ['createProject', { body: { slug: 'blog' } }],
    ['createEnvironment', { body: { slug: 'beta' } }],
    ['createApp', { body: { project: 'shop', environment: 'beta', name: 'api', source: 'image', image: 'acme/api' } }],
    ['listProjects', {}],
    ['getProject', {}],
    ['listEnvironments', {}],
    ['listApps', {}],
    ['getApp', {}],
    ['patchApp', { body: { tag: 'v2', health: null, stop: { grace_s: null, drain_s: 5 } } }],
    ['putApp', { body: { source: 'registry' } }],
    ['setProjectEnv', { body: { set: { A: '1' }, secret: ['A'] } }],
    ['replaceEnvironmentEnv', { body: { vars: { B: '2' } } }],
    ['getAppEnv', {}],
    ['addDomain', { body: { host: 'a.example' } }],
    ['listDomains', {}],
    ['patchDomain', { params: { ...WEB, domain: '1' }, body: { protocol: 'h2c' } }],
    ['getAppLogs', { query: { tail: '10' } }],
    ['getInstance', {}],
    ['removeDomain', { params: { ...WEB, domain: '1' } }],
    ['deleteApp', {}],
    ['deleteEnvironment', { params: { ...WEB, environment: 'beta' } }],
    ['deleteProject', {}],
  ];

  for (const [id, sent] of steps) {
    const { status, body } = await call(harness, id, sent);
    const declared = bindings(harness).get(id)?.operation.responses[status];
    assert.ok(declared, `${id} answers ${status}`);
    if (declared.schema) assert.deepEqual(declared.schema.parse(body), body, id);
    else assert.equal(body, undefined, id);
  }
});

test('the Location header contains the address of a created resource', async () => {
  using harness = CoreHarness.withApp();

  const app = await call(harness, 'createApp', { body: { project: 'shop', name: 'api', source: 'registry' } });
  const domain = await call(harness, 'addDomain', { body: { host: 'a.example' } });

  assert.equal(app.headers?.location, '/api/apps/shop/production/api');
  assert.equal(domain.headers?.location, '/api/apps/shop/production/web/domains/1');
});
