/**
 * The rights matrix: every role with every operation and every other route, in a visible and in an invisible project.
 * The expected results are in a manually written table.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ABSENT_ROUTES, allOperations, type Operation, type OperationId, ROLES, type Role } from '@davit/api';
import { type Answer, app, bootDaemon, deployedApp, keyFor, project, type Sending, send, user } from '@davit/testkit';
import { unchecked } from '../../src/db/select.ts';
import { builtDashboard } from '../support/built-dashboard.ts';
import { INSTANCE_WIDE } from '../support/instance-wide.ts';
import { notifyPush } from '../support/registry-setup.ts';
import { createAttachedResources, STORE_KEYS } from '../support/resources-setup.ts';
import { ABSENT_ROUTE_RIGHTS, NAMES, type Rule, WHO_MAY } from '../support/who-may.ts';

const built = await builtDashboard();
const daemon = await bootDaemon({ dashboard: built.dist });
after(async () => {
  await daemon[Symbol.asyncDispose]();
  await built[Symbol.asyncDispose]();
});
const { app: own, deployment } = await deployedApp(daemon, { project: await project(daemon, 'own-project') });
const { app: other } = await deployedApp(daemon, { project: await project(daemon, 'other-project'), name: 'hidden' });
const add = async (to: string, body: object) => JSON.parse((await daemon.call('POST', to, body)).text);
await add(`/api/apps/${other.reference}/domains`, { host: 'hidden.example.com' });
await add(`/api/apps/${other.reference}/volumes`, { path: '/hidden' });
const { name: secondName } = await app(daemon, { project: other.project, name: 'hidden-too' });
const kept = await add(`/api/apps/${other.project}/production/${secondName}/volumes`, { path: '/hidden' });
await daemon.call('DELETE', `/api/apps/${other.project}/production/${secondName}`);
// A waiting push causes a warning of the instance.
const pushed = await app(daemon, { project: other.project, name: 'hidden-pushed', source: 'registry', image: null });
await daemon.call('PUT', `/api/projects/${other.project}/quota`, { replicas: 0 });
daemon.registry.push(pushed.reference, 'v1');
await notifyPush(daemon, { repository: pushed.reference, tag: 'v1', by: 'ada' });
await daemon.daemon.settled();
assert.match((await daemon.client.getInstance()).warnings.join(), /hidden-pushed/);
await daemon.call('PUT', `/api/projects/${other.project}/quota`, {});
const resources = await createAttachedResources(daemon, own);
// Users who do not see the other project do not find its resources.
await createAttachedResources(daemon, other);
const subject = user(daemon, 'viewer', [own.project]);
const names: Record<string, string> = {
  ...NAMES,
  ...resources,
  project: own.project,
  environment: own.environment,
  app: own.name,
  deployment: String(deployment.id),
  user: subject.username,
};
const missing = { ...names, project: 'missing-project', user: 'missing-user' };
const root = { id: 1, role: 'admin' } as const;

/** A caller, with its role and whether it sees the requested project. */
interface Caller {
  name: string;
  role: Role;
  sees: boolean;
  ask: (sending: Sending) => Promise<Answer>;
}

function withKey(key: string): Caller['ask'] {
  return ({ headers, ...sending }) =>
    daemon.send({ ...sending, headers: { ...headers, authorization: `Bearer ${key}` } });
}

const CALLERS: Caller[] = [
  ...ROLES.flatMap((role) => [
    { name: `a ${role} of all projects`, role, sees: true, ask: withKey(user(daemon, role).key) },
    { name: `a ${role} of this project`, role, sees: true, ask: withKey(user(daemon, role, [own.project]).key) },
    { name: `a ${role} of another project`, role, sees: false, ask: withKey(user(daemon, role, [other.project]).key) },
    {
      name: `an admin’s key for a ${role} of another project`,
      role,
      sees: false,
      ask: withKey(keyFor(daemon, { ...root, role }, { projects: [other.project] })),
    },
  ]),
  {
    name: 'the local operator',
    role: 'admin',
    sees: true,
    ask: (sending) => send({ socketPath: join(daemon.dataDir, 'davit.sock') }, sending),
  },
];

/**
 * Returns a request with an error that is found after all checks of rights. A caller with the rights gets 400, and
 * nothing changes.
 */
function faulty(
  { method, path, body }: Pick<Operation, 'method' | 'path' | 'body'>,
  values: Record<string, string>,
): Sending {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return values[name] ?? assert.fail(`{${name}} of ${path} needs a value in test/support/who-may.ts`);
  });
  const sent = { method, path: `${filled}?not-a-field=1` };
  return body ? { ...sent, headers: { 'content-type': 'application/json' }, body: '{"not-a-field":1}' } : sent;
}

const operationRequest = (operation: Operation, values = names) =>
  faulty({ ...operation, path: `/api${operation.path}` }, values);

/** Returns the expected status according to the table. */
function expected({ least, of }: Rule, { role, sees }: Caller): number {
  const isEnough = ROLES.indexOf(role) >= ROLES.indexOf(least);
  if (of === 'project' && !sees) return 404;
  if (!isEnough) return 403;
  return of === 'account' && !sees ? 404 : 400;
}

describe('access rights of every operation', () => {
  it('have an entry in the table of expectations for each operation and route', () => {
    const declared = allOperations.map(({ id }) => id);
    assert.deepEqual(Object.keys(WHO_MAY).toSorted(), declared.toSorted(), 'edit test/support/who-may.ts on purpose');
    assert.deepEqual(Object.keys(ABSENT_ROUTE_RIGHTS).toSorted(), ABSENT_ROUTES.toSorted());
  });

  it('have a verdict for each instance-wide or administrative operation', () => {
    const needed = allOperations.filter(({ scope, permission }) => scope === 'instance' || permission === 'administer');
    const ids = needed.map(({ id }) => id).toSorted();
    assert.deepEqual(Object.keys(INSTANCE_WIDE).toSorted(), ids, 'edit test/support/instance-wide.ts on purpose');
  });

  it('refuse a request without credentials', async () => {
    for (const operation of allOperations) {
      const answer = await daemon.send(operationRequest(operation));
      assert.equal(answer.status, 401, operation.id);
    }
  });

  for (const caller of CALLERS) {
    it(`match the expected status for ${caller.name}`, async () => {
      for (const operation of allOperations) {
        const rule = WHO_MAY[operation.id as OperationId];
        const { status, text } = await caller.ask(operationRequest(operation));
        assert.equal(status, expected(rule, caller), `${caller.name}: ${operation.id}: ${text.slice(0, 200)}`);
      }
    });
  }

  it('give identical responses for a hidden project and a missing project', async () => {
    for (const caller of CALLERS.filter(({ sees }) => !sees)) {
      for (const operation of allOperations.filter(({ id }) => WHO_MAY[id as OperationId].of !== 'instance')) {
        const [hidden, none] = [
          await caller.ask(operationRequest(operation)),
          await caller.ask(operationRequest(operation, missing)),
        ];
        assert.deepEqual(comparable(hidden), comparable(none), `${caller.name}: ${operation.id}`);
      }
    }
  });
});

describe('access rights of routes outside the OpenAPI document', () => {
  /** Expected statuses of an invalid request without authentication. */
  const ANSWERED = { everybody: [400], 'signed in': [401], page: [200], 'own rule': [400, 401, 403] };
  for (const route of ABSENT_ROUTES) {
    const [method = '', path = ''] = route.split(' ');
    const request = faulty({ method: method as Operation['method'], path }, names);
    const who = ABSENT_ROUTE_RIGHTS[route];

    it(`${route} is for: ${typeof who === 'string' ? who : `a ${who.least}`}`, async () => {
      const anonymous = await daemon.send(request);
      if (typeof who === 'string') assert.ok(ANSWERED[who].includes(anonymous.status), anonymous.text);
      else assert.equal(anonymous.status, 401);
      if (who === 'page' || who === 'own rule') return;
      for (const caller of CALLERS) {
        const { status } = await caller.ask(request);
        assert.equal(status, typeof who === 'string' ? 400 : expected(who, caller), caller.name);
      }
    });
  }
});

describe('users and keys limited to some projects', () => {
  const CANARY = 'canary-4e1d9c';
  const reads = allOperations.filter(({ method, responses }) => method === 'GET' && responses[200]?.schema);

  it('read no data of other projects', async () => {
    for (const caller of CALLERS.filter(({ name }) => name.endsWith('of this project'))) {
      for (const operation of reads) {
        const { path } = operationRequest(operation);
        const { status, text } = await caller.ask({ path: path.slice(0, path.indexOf('?')) });
        assert.doesNotMatch(text, /other-project|hidden/, `${caller.name}: ${operation.id}: ${status}`);
      }
    }
  });

  it('do not read secret values with the viewer role', async () => {
    const set = { set: { TOKEN: CANARY }, secret: ['TOKEN'] };
    for (const path of [
      `/api/projects/${own.project}/env`,
      `/api/projects/${own.project}/environments/production/env`,
      `/api/apps/${own.reference}/env`,
    ]) {
      assert.equal((await daemon.call('PATCH', path, set)).status, 200);
    }
    const { password } = await daemon.client.getDatabaseCredentials({
      params: { project: own.project, environment: own.environment, database: resources.database ?? '' },
    });
    const { secret_key } = await daemon.client.getObjectStoreCredentials({
      params: { object_store: resources.object_store ?? '' },
    });
    const secrets = new RegExp([CANARY, password, STORE_KEYS.secret_key, secret_key].join('|'));
    const viewer = CALLERS.find(({ name }) => name === 'a viewer of this project') as Caller;
    const member = CALLERS.find(({ name }) => name === 'a member of this project') as Caller;
    for (const operation of reads) {
      const { path } = operationRequest(operation);
      const { text } = await viewer.ask({ path: path.slice(0, path.indexOf('?')) });
      assert.doesNotMatch(text, secrets, operation.id);
    }
    assert.match((await member.ask({ path: `/api/apps/${own.reference}/env` })).text, new RegExp(CANARY));
  });

  const json = { 'content-type': 'application/json' };
  const byLimitedAdmins = async (method: string, path: string, body?: object) => {
    const keys = [user(daemon, 'admin', [own.project]).key, keyFor(daemon, root, { projects: [own.project] })];
    return Promise.all(
      keys.map((key) => withKey(key)({ method, path, ...(body && { headers: json, body: JSON.stringify(body) }) })),
    );
  };
  for (const [id, verdict] of Object.entries(INSTANCE_WIDE)) {
    if (verdict.verdict !== 'all projects') continue;
    it(`are refused ${id} because of the limited projects`, async () => {
      const { method, path, body } = verdict.request;
      for (const { status, text } of await byLimitedAdmins(method, path, body)) {
        assert.equal(status, 403, text);
        assert.match(text, /limited to certain projects/);
      }
    });
  }

  const inOther = { project: other.project, environment: 'production', name: 'sneaked', source: 'image', image: 'a/b' };
  const attempts: [name: string, method: string, path: string, body: object, status: number, statusOfKey?: number][] = [
    ['create a project', 'POST', '/api/projects', { slug: 'mine' }, 403],
    ['shorten the log retention of all projects', 'PATCH', '/api/settings', { logs: { days: 1 } }, 403],
    ['reset the instance settings', 'PUT', '/api/settings', {}, 403],
    [
      'store registry credentials for all projects',
      'POST',
      '/api/registries',
      { host: 'r.io', username: 'a', password: 'b' },
      403,
    ],
    ['change registry credentials for all projects', 'PATCH', '/api/registries/1?check=false', { password: 'b' }, 404],
    ['remove registry credentials for all projects', 'DELETE', '/api/registries/1', {}, 404],
    ['create an app in another project', 'POST', '/api/apps', inOther, 404],
    [
      'promote a release of another project',
      'POST',
      `/api/apps/${own.reference}/deploy`,
      { from: other.reference },
      404,
    ],
    ['create a user with access to all projects', 'POST', '/api/users', { username: 'root2', role: 'admin' }, 403],
    [
      'create a user of another project',
      'POST',
      '/api/users',
      { username: 'x', role: 'viewer', projects: ['other-project'] },
      400,
      403,
    ],
    ['give a user access to all projects', 'PATCH', `/api/users/${subject.username}`, { projects: null }, 403],
    [
      'give a user access to another project',
      'PATCH',
      `/api/users/${subject.username}`,
      { projects: ['other-project'] },
      400,
      403,
    ],
    ['reset the password of an admin of all projects', 'PATCH', '/api/users/admin', { reset_password: true }, 404],
    ['revoke a key of an admin of all projects', 'DELETE', '/api/users/admin/api-keys/1', {}, 404],
    ['restore a volume of another project', 'POST', `/api/volumes/${kept.id}/restore`, {}, 404],
    [
      'delete a volume of another project',
      'DELETE',
      `/api/volumes/${kept.id}?confirm=${encodeURIComponent(kept.name)}`,
      {},
      404,
    ],
    [
      'adopt a volume of another project',
      'POST',
      `/api/apps/${own.reference}/volumes`,
      { path: '/mine', adopt: kept.name },
      409,
    ],
  ];
  for (const [name, method, path, body, status, statusOfKey = status] of attempts) {
    it(`cannot ${name} as an admin or with a key of an admin`, async () => {
      // The time of the last activity of a user does not count as a change.
      const users = () =>
        daemon.core.store
          .all(unchecked<object>('SELECT * FROM users ORDER BY id'))
          .map((row) => ({ ...row, seen_at: null }));
      const before = users();
      const limited = user(daemon, 'admin', [own.project]).key;
      const narrowed = keyFor(daemon, root, { projects: [own.project] });
      for (const [key, expected] of [
        [limited, status],
        [narrowed, statusOfKey],
      ] as const) {
        const answer = await withKey(key)({ method, path, headers: json, body: JSON.stringify(body) });
        assert.equal(answer.status, expected, answer.text);
      }
      assert.deepEqual(users().slice(0, before.length), before);
    });
  }

  it('cannot create an API key for another project or with an API key', async () => {
    const body = JSON.stringify({ name: 'x', projects: ['other-project'] });
    const limited = user(daemon, 'admin', [own.project]).key;
    const narrowed = keyFor(daemon, root, { projects: [own.project] });
    const make = (key: string) => withKey(key)({ method: 'POST', path: '/api/users/me/api-keys', headers: json, body });
    assert.deepEqual([(await make(limited)).status, (await make(narrowed)).status], [400, 403]);
  });
});

/** Returns the parts of a response that a caller could compare. */
function comparable({ status, text, headers }: Answer): object {
  const ignored = ['x-request-id', 'date', 'ratelimit', 'ratelimit-remaining', 'ratelimit-reset'];
  return { status, text, headers: [...headers].filter(([name]) => !ignored.includes(name)) };
}
