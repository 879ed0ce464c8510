import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  bootDaemon,
  cookieOf,
  deployedApp,
  keyFor,
  app as newApp,
  paramsOf,
  signIn,
  type TestDaemon,
  user,
} from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { WebSocket } from 'ws';
import { setUserRights } from '../../src/db/tables/user.ts';
import { ShellClient } from '../support/shell-client.ts';

describe('a shell in a replica', () => {
  let daemon: TestDaemon;
  let reference: string;
  before(async () => {
    daemon = await bootDaemon();
    reference = (await deployedApp(daemon)).app.reference;
  });
  after(() => daemon[Symbol.asyncDispose]());

  const path = (query = '', app = reference) => `/api/apps/${app}/shell${query}`;
  const address = (query = '', app = reference) => `${daemon.url.replace('http', 'ws')}${path(query, app)}`;
  const withKey = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

  async function open(query = '', headers = withKey(daemon.key)): Promise<ShellClient> {
    const shell = new ShellClient(address(query), headers);
    await once(shell.socket, 'open');
    return shell;
  }

  /** Returns the response to a refused request for a shell. */
  async function refusal(query = '', headers = withKey(daemon.key), app = reference): Promise<[number, string]> {
    const socket = new WebSocket(address(query, app), { headers });
    socket.on('error', () => undefined);
    const [, answer] = await once(socket, 'unexpected-response');
    let text = '';
    for await (const chunk of answer) text += chunk;
    assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
    assert.ok(answer.headers['x-request-id']);
    return [answer.statusCode, text];
  }

  const requestUpgrade = (headers: Record<string, string>) =>
    daemon.send({
      path: path(),
      headers: { ...withKey(daemon.key), connection: 'Upgrade', upgrade: 'websocket', ...headers },
    });

  it('transfers input and output and reports the exit code', async () => {
    const shell = await open('?columns=100&rows=30');

    shell.type('stty size\necho hello there\nexit 7\n');

    assert.deepEqual(await shell.closed, { code: 1000, reason: 'The program has ended.' });
    assert.match(shell.text, /stty size\r\n30 100\r\n/);
    assert.match(shell.text, /\r\nhello there\r\n/);
    assert.deepEqual(shell.controls, [{ exit: 7 }]);
  });

  it('is resized by a text message', async () => {
    const shell = await open();

    shell.socket.send(JSON.stringify({ resize: { columns: 40, rows: 12 } }));
    shell.type('stty size\n');

    await shell.shows(/\r\n12 40\r\n/);
    shell.socket.close();
    await shell.closed;
  });

  for (const text of [
    '',
    'hello',
    '{}',
    '{"resize":{"columns":0,"rows":1}}',
    '{"resize":{"columns":80,"rows":24,"x":1}}',
  ]) {
    it(`is closed by the invalid text message ${JSON.stringify(text)}`, async () => {
      const shell = await open();

      shell.socket.send(text);

      const { code, reason } = await shell.closed;
      assert.equal(code, 1008);
      assert.match(reason, /^A text message must be/);
    });
  }

  it('ends its program when the client disconnects', async () => {
    const shell = await open();
    shell.type('sleep\n');
    await shell.shows(/sleep/);

    shell.socket.terminate();

    await shell.closed;
    // A closed shell releases its slot only when its program has ended, and there are ten slots.
    const others: ShellClient[] = [];
    while (others.length < 10) others.push(await until('a place', async () => open().catch(() => null)));
    for (const other of others) {
      other.socket.terminate();
      await other.closed;
    }
  });

  it('limits the buffered output if the client stops reading', async () => {
    const shell = await open();
    await shell.shows(/\$/);
    shell.socket.pause();
    const before = process.memoryUsage().rss;

    shell.type('yes\n');
    // The program has more output after each turn of the loop: 240 MB in total if it were read.
    for (let i = 0; i < 20_000; i++) await new Promise((resolve) => setImmediate(resolve));

    assert.ok(process.memoryUsage().rss - before < 64 * 2 ** 20);
    shell.socket.resume();
    await shell.shows(/y\r\ny\r\n/);
    shell.type('\u0003exit\n');
    assert.equal((await shell.closed).code, 1000);
  });

  it('is refused with HTTP errors in the usual order of checks', async () => {
    const viewer = user(daemon, 'viewer');
    const stranger = user(daemon, 'member', []);
    const never = (await newApp(daemon)).reference;

    assert.equal((await refusal('', {}))[0], 401);
    assert.equal((await refusal('', withKey(`davit_${'0'.repeat(64)}`)))[0], 401);
    assert.equal((await refusal('?x=1', withKey(stranger.key)))[0], 404);
    assert.equal((await refusal('?x=1', withKey(viewer.key)))[0], 403);
    assert.equal((await refusal('?x=1', withKey(daemon.key), never))[0], 400);
    const [status, text] = await refusal('', withKey(daemon.key), never);
    assert.equal(status, 409);
    assert.match(text, /no running replica/);
    assert.equal((await refusal('', withKey(daemon.key), 'no/such/app'))[0], 404);
  });

  for (const query of [
    '?columns=0',
    '?rows=1001',
    '?rows=x',
    '?shell=sh',
    '?shell=',
    '?shell=%2Fa%00',
    '?shell=/a&shell=/b',
    '?command=ls',
    '?command=%5B%5D',
    '?command=%5B1%5D',
    '?command=%5B%22ls%22%5D&shell=/bin/sh',
  ]) {
    it(`is refused with 400 for ${query}`, async () => {
      assert.equal((await refusal(query))[0], 400);
    });
  }

  it('is refused for a missing replica or a missing program', async () => {
    assert.match((await refusal('?replica=nobody')).join(), /^409,.*Check the name/);
    assert.match((await refusal('?shell=/bin/no-such')).join(), /^409,The command does not exist in the image/);
  });

  it('opens in the requested replica with the requested shell', async () => {
    const { app } = await deployedApp(daemon, { scale: 2 });
    const second = app.replicas[1]?.name ?? '';

    const shell = new ShellClient(address(`?replica=${second}&shell=/bin/bash`, app.reference), withKey(daemon.key));
    await once(shell.socket, 'open');

    shell.type('exit\n');
    assert.equal((await shell.closed).code, 1000);
  });

  it('runs a command with arguments instead of a shell if requested', async () => {
    const shell = await open(`?command=${encodeURIComponent(JSON.stringify(['/bin/bash', '-i']))}`);

    shell.type('exit 3\n');

    assert.equal((await shell.closed).code, 1000);
    assert.deepEqual(shell.controls, [{ exit: 3 }]);
    assert.match(
      (await refusal(`?command=${encodeURIComponent('["/bin/no-such"]')}`)).join(),
      /^409,The command does not exist in the image/,
    );
  });

  it('is refused with 400 for a missing or invalid WebSocket handshake', async () => {
    const plain = await daemon.call('GET', path());
    assert.deepEqual(
      [plain.status, plain.text],
      [400, 'This endpoint is a WebSocket. Connect to it with “ws://” or “wss://”.\n'],
    );

    const key = 'dGhlIHNhbXBsZSBub25jZQ==';
    assert.equal((await requestUpgrade({})).status, 400);
    assert.equal((await requestUpgrade({ 'sec-websocket-version': '13', 'sec-websocket-key': 'short' })).status, 400);
    assert.equal((await requestUpgrade({ 'sec-websocket-version': '8', 'sec-websocket-key': key })).status, 400);
    assert.equal(
      (await requestUpgrade({ upgrade: 'h2c', 'sec-websocket-version': '13', 'sec-websocket-key': key })).status,
      400,
    );
  });

  it('closes a refused connection completely even if the client stays half-open', async () => {
    const { hostname, port } = new URL(daemon.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const lines = [`GET ${path()} HTTP/1.1`, 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket', '', ''];
    socket.write(lines.join('\r\n'));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    await once(socket, 'end');
    assert.match(text, /^HTTP\/1\.1 401 [\s\S]*\r\nConnection: close\r\n/);

    // A write to a closed connection must fail. On a half-open connection, writes could continue forever.
    const failure = once(socket, 'error');
    const writing = setInterval(() => socket.write('x'), 5);

    await failure.finally(() => clearInterval(writing));
  });

  it('is available to the local operator', async () => {
    const shell = new ShellClient(`ws+unix:${daemon.core.facts.socket}:${path()}`, {});
    await once(shell.socket, 'open');

    shell.type('exit\n');

    assert.equal((await shell.closed).code, 1000);
  });

  it('is limited to its path, and other paths ignore an upgrade request', async () => {
    const headers = { ...withKey(daemon.key), connection: 'Upgrade', upgrade: 'websocket' };

    assert.equal((await daemon.send({ path: '/api/projects', headers })).status, 200);
    assert.equal((await daemon.send({ path: '/api/nothing', headers })).status, 404);
    assert.equal((await daemon.send({ path: '/healthz', headers: { ...headers, upgrade: 'h2c' } })).status, 200);
  });

  it('opens for a session only from the origin of the instance', async () => {
    const cookie = cookieOf(await signIn(daemon));

    assert.equal((await refusal('', { cookie }))[0], 403);
    assert.equal((await refusal('', { cookie, origin: 'http://evil.example' }))[0], 403);
    assert.equal((await refusal('', { cookie, origin: 'http://shop.davit.test' }))[0], 403);
    const shell = await open('', { cookie, origin: daemon.url });
    shell.type('exit\n');
    assert.equal((await shell.closed).code, 1000);
  });

  it('is closed when the user loses the required role', async () => {
    const member = user(daemon, 'member');
    const shell = await open('', withKey(member.key));

    daemon.core.store.tx((tx) => setUserRights(tx, member.id, 'viewer', null, Date.now()));

    const { code, reason } = await shell.closed;
    assert.equal(code, 1008);
    assert.match(reason, /no longer allows access to this/);
  });

  it('is closed when its app is deleted', async () => {
    const { app } = await deployedApp(daemon);
    const shell = new ShellClient(address('', app.reference), withKey(daemon.key));
    await once(shell.socket, 'open');

    const params = paramsOf(app);
    await daemon.client.deleteApp({ params });

    assert.ok([1000, 1008].includes((await shell.closed).code));
  });

  it('is refused if the user has ten open shells', async () => {
    const member = user(daemon, 'member');
    const key = keyFor(daemon, { id: member.id, role: 'member' });
    const shells: ShellClient[] = [];
    for (let i = 0; i < 10; i++) shells.push(await open('', withKey(i % 2 === 0 ? key : member.key)));

    const [status, text] = await refusal('', withKey(member.key));

    assert.equal(status, 429);
    assert.match(text, /10 shells open/);
    const otherShell = await open();
    for (const shell of [...shells, otherShell]) {
      shell.socket.terminate();
      await shell.closed;
    }
  });

  it('reports a refusal in a WebSocket message if requested, and then closes', async () => {
    const refusedShell = new ShellClient(address('?refusal=message&shell=/bin/fish'), withKey(daemon.key));
    const { code } = await refusedShell.closed;
    const [told] = refusedShell.controls as { refused: { code: string; message: string } }[];
    assert.equal(code, 1008);
    assert.equal(told?.refused.code, 'conflict');
    assert.match(told?.refused.message ?? '', /Set “shell” to the path of a shell in the image/);
  });

  it('is recorded in the audit log when opened, closed and refused', async () => {
    const member = user(daemon, 'member');
    const viewer = user(daemon, 'viewer');
    const shell = await open('', withKey(member.key));
    shell.type('exit\n');
    await shell.closed;
    await refusal('', withKey(viewer.key));

    const rows = await until('the audit rows', async () => {
      const { text } = await daemon.call('GET', '/api/audit?limit=20');
      const { events } = JSON.parse(text) as { events: { actor: string; operation: string; outcome: string }[] };
      const own = events.filter(({ actor }) => actor === member.username || actor === viewer.username);
      return own.length >= 3 ? own : null;
    });
    assert.deepEqual(rows.map(({ operation, outcome }) => `${operation} ${outcome}`).toSorted(), [
      'closeShell ok',
      'openShell ok',
      'openShell refused',
    ]);
  });
});

describe('shells when the instance stops', () => {
  it('are closed with the code 1001', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon);
    const shell = new ShellClient(`${daemon.url.replace('http', 'ws')}/api/apps/${app.reference}/shell`, {
      authorization: `Bearer ${daemon.key}`,
    });
    await once(shell.socket, 'open');

    await daemon.stop();

    assert.equal((await shell.closed).code, 1001);
  });

  it('do not delay the stop if a client does not respond', async () => {
    await using daemon = await bootDaemon();
    const { app } = await deployedApp(daemon);
    const shell = new ShellClient(`${daemon.url.replace('http', 'ws')}/api/apps/${app.reference}/shell`, {
      authorization: `Bearer ${daemon.key}`,
    });
    await once(shell.socket, 'open');
    shell.socket.pause();

    await daemon.stop();

    shell.socket.terminate();
    await shell.closed;
  });
});
