import assert from 'node:assert/strict';
import test from 'node:test';
import type { RouteRules, RouteServer, RouteTable } from '../proxy.ts';
import { desiredState } from './desired.ts';
import { closing, finishing, judgeServers, leftovers, missingRoutes, opening, present } from './reconcile.ts';
import type { Running, RunningServer } from './running.ts';

const MAP = '/run/davit/current/routes.map';

function tableOf(servers: [string, RouteServer['state']][], hosts = ['web.localhost'], slot = 1): RouteTable {
  return {
    domain: 'localhost',
    api: { address: '127.0.0.1', port: 3000 },
    backends: [
      {
        slot,
        app: 'a/production/web',
        protocol: 'http',
        servers: servers.map(([name, state]) => ({ name, address: '10.0.0.1', port: Number(name.slice(1)), state })),
      },
    ],
    hosts: hosts.map((host) => ({ host, slot })),
  };
}

const NOTHING: RouteRules = {
  ...{ httpsOnly: false, hsts: null, redirectTo: null, basicAuth: null, allow: [], requestsPerMinute: null },
  ...{ maintenance: null, headers: {} },
};

type Seen = Partial<Pick<RunningServer, 'admin' | 'sight'>>;

function server(name: string, { admin = 'ready', sight = 'up' }: Seen = {}): RunningServer {
  return { name, endpoint: `10.0.0.1:${name.slice(1)}`, admin, sight };
}

const api: RunningServer = { name: '127.0.0.1:3000', endpoint: '127.0.0.1:3000', admin: 'ready', sight: 'up' };

function runningOf(servers: RunningServer[], routes: Record<string, string> = { 'web.localhost/': 'b1' }): Running {
  return {
    servers: new Map([
      ['api', [api]],
      ['b1', servers],
    ]),
    routes: new Map(Object.entries({ 'localhost/': 'api', ...routes })),
    rules: new Map(),
    challenges: new Map(),
    certificates: [],
  };
}

/** Returns the commands for the backend `b1` after `judgeServers` has checked its servers. */
function finish(table: RouteTable, running: RunningServer[], patient = false): string[] {
  const desired = desiredState(table);
  const backend = desired.backends.get('b1');
  assert.ok(backend);
  const verdicts = judgeServers(backend, running, () => patient);
  return finishing(backend, running, verdicts, missingRoutes(desired, runningOf(running)).get('b1') ?? []);
}

test('the reconciler sends no commands if the proxy is up to date', () => {
  const table = tableOf([['i2', 'active']]);
  const desired = desiredState(table);

  assert.deepEqual(opening(desired, runningOf([server('i2')]), 4), []);
  assert.deepEqual(finish(table, [server('i2')]), []);
});

test('opening adds a new server with health checks in the drain state', () => {
  const desired = desiredState(
    tableOf([
      ['i2', 'active'],
      ['i1', 'draining'],
    ]),
  );

  const commands = opening(desired, runningOf([server('i1')]), 4);

  assert.match(commands[0] ?? '', /^add server b1\/i2 10\.0\.0\.1:2 check inter /);
  assert.deepEqual(commands.slice(1), ['enable health b1/i2', 'set server b1/i2 state drain']);
});

test('finishing activates healthy new servers before draining the old servers', () => {
  const table = tableOf([
    ['i3', 'active'],
    ['i2', 'active'],
    ['i1', 'draining'],
  ]);

  const commands = finish(table, [server('i1'), server('i2', { admin: 'drain' }), server('i3', { admin: 'drain' })]);

  assert.deepEqual(commands, [
    'set server b1/i3 state ready',
    'set server b1/i2 state ready',
    'set server b1/i1 state drain',
  ]);
});

test('finishing keeps the old servers while a new server is down', () => {
  const table = tableOf([
    ['i3', 'active'],
    ['i2', 'active'],
    ['i1', 'draining'],
  ]);
  const down = server('i3', { admin: 'drain', sight: 'down' });

  assert.deepEqual(finish(table, [server('i1'), server('i2', { admin: 'drain' }), down]), []);
});

test('finishing activates the healthy new server if no old server exists', () => {
  const table = tableOf([
    ['i3', 'active'],
    ['i2', 'active'],
  ]);
  const down = server('i3', { admin: 'drain', sight: 'down' });

  assert.deepEqual(finish(table, [server('i2', { admin: 'drain' }), down]), ['set server b1/i2 state ready']);
});

test('finishing reactivates a draining server that becomes active again', () => {
  const table = tableOf([
    ['i1', 'active'],
    ['i2', 'draining'],
  ]);

  const commands = finish(table, [server('i1', { admin: 'drain' }), server('i2')]);

  assert.deepEqual(commands, ['set server b1/i1 state ready', 'set server b1/i2 state drain']);
});

test('the reconciler deletes servers of no table, including servers of a deleted app', () => {
  const table = tableOf([['i2', 'active']]);
  const desired = desiredState({ ...table, backends: [], hosts: [] });

  assert.deepEqual(finish(table, [server('i2'), server('i1', { admin: 'maint' })]), ['del server b1/i1']);
  assert.deepEqual(leftovers(desired, runningOf([server('i2')])), ['set server b1/i2 state maint', 'del server b1/i2']);
});

test('leftovers keeps servers of a backend that is not a slot', () => {
  const running = runningOf([]);
  running.servers.set('successor', [server('i1')]);

  assert.deepEqual(leftovers(desiredState(tableOf([])), running), []);
});

test('the reconciler removes an old route first and adds a new route last', () => {
  const table = tableOf([['i2', 'active']], ['new.localhost']);
  const running = runningOf([server('i1'), server('i2', { admin: 'drain' })], { 'old.localhost/': 'b1' });

  const first = opening(desiredState(table), running, 4);
  const last = finish(table, running.servers.get('b1') ?? []);

  assert.deepEqual(first, [`del map ${MAP} old.localhost/`]);
  assert.deepEqual(last, [
    'set server b1/i2 state ready',
    'set server b1/i1 state maint',
    'del server b1/i1',
    `add map ${MAP} new.localhost/ b1`,
  ]);
});

test('opening adds a server for the daemon’s new address', () => {
  const desired = desiredState({ ...tableOf([]), api: { address: '127.0.0.1', port: 3001 } });

  const commands = opening(desired, runningOf([]), 4);

  assert.deepEqual(commands, [
    'add server api/127.0.0.1:3001 127.0.0.1:3001',
    'set server api/127.0.0.1:3001 state drain',
  ]);
});

test('the reconciler leaves backends missing from the running proxy for the next reload', () => {
  const desired = desiredState(tableOf([['i2', 'active']], ['web.localhost'], 5));

  assert.deepEqual(
    present(desired, 4).map(({ name }) => name),
    ['api', 'registry'],
  );
  assert.deepEqual(opening(desired, runningOf([], {}), 4), []);
});

test('judgeServers waits for an unchecked server only while patient and rejects another address', () => {
  const desired = desiredState(tableOf([['i2', 'active']]));
  const backend = desired.backends.get('b1');
  assert.ok(backend);
  const unknown = server('i2', { admin: 'drain', sight: 'unknown' });

  assert.deepEqual(
    judgeServers(backend, [unknown], () => true),
    [{ server: 'i2', state: 'waiting' }],
  );
  assert.deepEqual(
    judgeServers(backend, [unknown], () => false),
    [{ server: 'i2', state: 'down' }],
  );
  assert.deepEqual(
    judgeServers(backend, [{ ...server('i2'), endpoint: '10.0.0.9:2' }], () => true),
    [{ server: 'i2', state: 'down' }],
  );
});

test('the reconciler blocks a moved route until its app serves and applies rules immediately', () => {
  const rules = { ...NOTHING, hsts: 'x' };
  const table = { ...tableOf([['i2', 'active']], []), hosts: [{ host: 'web.localhost', path: '/a', slot: 1, rules }] };
  const desired = desiredState(table);
  const [id = ''] = [...desired.rules.keys()].map((key) => key.split('.')[0]);

  const moving = runningOf([server('i2')], { 'web.localhost/a/': 'b7' });
  const staying = runningOf([server('i2')], { 'web.localhost/a/': 'b1||P' });
  const value = `b1|${id}|PH`;

  assert.deepEqual(opening(desired, moving, 4), [
    `add map /run/davit/current/rules.map ${id}.hsts x`,
    `set map ${MAP} web.localhost/a/ none`,
  ]);
  assert.deepEqual(missingRoutes(desired, moving).get('b1'), [{ key: 'web.localhost/a/', value, command: 'set' }]);
  assert.equal(opening(desired, staying, 4).at(-1), `set map ${MAP} web.localhost/a/ ${value}`);
  assert.deepEqual([...missingRoutes(desired, staying)], []);
});

test('the reconciler updates ACME challenges first and deletes unused rules last', () => {
  const desired = desiredState({ ...tableOf([['i2', 'active']]), challenges: [{ token: 't2', answer: 't2.x' }] });
  const running = {
    ...runningOf([server('i2')]),
    rules: new Map([['r1.hsts', 'x']]),
    challenges: new Map([['t1', 't1.x']]),
  };

  assert.deepEqual(opening(desired, running, 4), [
    'add map /run/davit/current/challenges.map t2 t2.x',
    'del map /run/davit/current/challenges.map t1',
  ]);
  assert.deepEqual(closing(desired, running), ['del map /run/davit/current/rules.map r1.hsts']);
});
