/** Requests while the proxy itself is reloaded, replaced, killed or left running without the daemon. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { freePort } from '@davit/testkit/ports';
import { until } from '@davit/testkit/waiting';
import { startApp, type TestApp } from '../../support/proxy-apps.ts';
import { openEvents, openSocket } from '../../support/proxy-clients.ts';
import { backend, interrupted, ProxyHarness, server, tableOf } from '../../support/proxy-harness.ts';
import { send, serverOf, startLoad } from '../../support/proxy-load.ts';
import { inLong } from '../../support/tiers.ts';

describe('the proxy across reloads and restarts', () => {
  let harness: ProxyHarness;
  let app: TestApp;

  beforeEach(async () => {
    harness = await ProxyHarness.create();
    app = await startApp();
  });

  afterEach(async () => {
    await app[Symbol.asyncDispose]();
    await harness[Symbol.asyncDispose]();
  });

  /** Returns a route table with one app in each of these slots, all on the same server. */
  const table = (...slots: number[]) =>
    tableOf(...slots.map((slot) => backend(slot, [server({ name: app.name, port: app.port })])));

  it('adds capacity for many new apps in few reloads without a lost request', async () => {
    const proxy = harness.connect();
    await proxy.ensure(table(1));
    await using socket = await openSocket(harness.port, 'app-1.localhost');
    await using events = await openEvents(harness.port, 'app-1.localhost');
    const load = startLoad(harness.port, 'app-1.localhost');

    const first = await proxy.sync(table(1, 20));
    const more = await Promise.all([40, 60, 80].map((slot) => proxy.sync(table(1, 20, slot))));

    const { failures } = await load.stop();
    assert.deepEqual(failures, []);
    assert.equal(first.reloaded, true);
    assert.equal(more.at(-1)?.reloaded, true);
    assert.ok((await proxy.status()).reloads <= 3);
    assert.equal(serverOf(await harness.get('app-80.localhost')), app.name);
    await socket.assertOpen();
    await events.assertWhole();
  });

  it('forwards requests that reach a replaced worker to the current servers', async () => {
    const proxy = harness.connect();
    await proxy.ensure(table(1));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await send({ port: harness.port, host: 'app-1.localhost', agent });
    const open = harness.get('app-1.localhost', { path: '/hold' });
    await until('the request arrives', () => app.seen.includes('/hold'));
    await proxy.sync(table(1, 20));
    await using next = await startApp();

    await proxy.sync(tableOf(backend(1, [server(next), server(app, 'draining')])));
    const answer = await send({ port: harness.port, host: 'app-1.localhost', agent });

    agent.destroy();
    assert.equal(serverOf(answer), next.name);
    assert.match(answer.text, /"x-forwarded-for":"127.0.0.1"/);
    assert.equal(await proxy.openSessions(1, app.name), 1);
    app.release();
    assert.equal(serverOf(await open), app.name);
    await until('the session ends', async () => (await proxy.openSessions(1, app.name)) === 0);
  });

  it('is replaced by a new container under load without a lost request', async () => {
    await using before = harness.connect();
    await before.ensure(table(1));
    const [old] = await harness.containers();
    const socket = await openSocket(harness.port, 'app-1.localhost');
    const load = startLoad(harness.port, 'app-1.localhost');

    const proxy = harness.connect({ socketOwner: { uid: 0, gid: 0 } });
    const status = await proxy.ensure(table(1));

    await until('the new one alone is listening', async () => (await harness.containers()).length === 2);
    const { failures } = await load.stop();
    assert.deepEqual(failures, []);
    assert.partialDeepStrictEqual(status, { running: true, reloads: 1, problem: null });
    await socket.assertOpen();
    assert.equal(await proxy.openSessions(1, app.name), 1);
    await socket[Symbol.asyncDispose]();
    await until('the old one ends and is removed', async () => {
      const containers = await harness.containers();
      return containers.length === 1 && containers[0]?.Id !== old?.Id;
    });
    assert.equal(serverOf(await harness.get('app-1.localhost')), app.name);
  });

  it('restarts with the same routes if killed while no daemon runs', async () => {
    const proxy = harness.connect();
    await proxy.ensure(tableOf());
    await proxy.sync(table(1));
    await proxy[Symbol.asyncDispose]();
    const pid = await harness.pid();

    process.kill(pid, 'SIGKILL');

    await until('another process answers', async () => {
      const answer = await harness.get('app-1.localhost').catch(() => null);
      return answer?.status === 200 && (await harness.pid()) !== pid;
    });
  });

  it('is started again by a sync if the container was removed', async () => {
    const proxy = harness.connect();
    await proxy.ensure(table(1));
    for (const { Id } of await harness.containers()) await harness.remove(Id);

    assert.deepEqual((await proxy.sync(table(1))).problems, []);

    assert.equal(serverOf(await harness.get('app-1.localhost')), app.name);
  });

  it('is recreated if the container hangs', inLong, async () => {
    const before = harness.connect();
    await before.ensure(table(1));
    await before[Symbol.asyncDispose]();
    const [hanging] = await harness.containers();
    const master = await harness.pid();
    const workers = (await readFile(`/proc/${master}/task/${master}/children`, 'utf8')).trim().split(' ');
    for (const pid of [master, ...workers]) process.kill(Number(pid), 'SIGSTOP');

    await harness.connect().ensure(table(1));

    assert.equal(serverOf(await harness.get('app-1.localhost')), app.name);
    assert.notEqual((await harness.containers())[0]?.Id, hanging?.Id);
  });

  it('resumes in the same container after a pause', async () => {
    const proxy = harness.connect();
    await proxy.ensure(table(1));
    const [paused] = await harness.containers();
    await harness.pause(paused?.Id ?? '');

    proxy.distrust();
    await proxy.sync(table(1));

    assert.equal(serverOf(await harness.get('app-1.localhost')), app.name);
    assert.equal((await harness.containers())[0]?.Id, paused?.Id);
  });

  it('resumes in the same container if paused before any engine call of a sync', inLong, async () => {
    const before = harness.connect();
    await before.ensure(table(1));
    await before[Symbol.asyncDispose]();
    const [first] = await harness.containers();
    await using socket = await openSocket(harness.port, 'app-1.localhost');

    for (let at = 1, isPaused = true; isPaused; at += 1) {
      isPaused = false;
      const pause = async () => {
        isPaused = true;
        await harness.pause(first?.Id ?? '');
      };
      const adopted = harness.connect({ docker: interrupted(harness.docker, at, pause) });
      await adopted.ensure(table(1));
      // An event of the engine calls this method for a proxy that was paused after the pass had checked it.
      adopted.distrust();
      await adopted.sync(table(1));
      await adopted[Symbol.asyncDispose]();
      assert.equal((await harness.containers())[0]?.Id, first?.Id, `paused before call ${at}`);
    }

    await socket.assertOpen();
  });

  it('is resumed without a sync after a pause', inLong, async () => {
    const proxy = harness.connect();
    await proxy.ensure(table(1));
    const [paused] = await harness.containers();
    await harness.pause(paused?.Id ?? '');

    proxy.distrust();

    await until('it runs', async () => (await harness.containers())[0]?.State === 'running');
  });

  it('serves again if killed before any engine call of a sync', inLong, async () => {
    const proxy = harness.connect();
    await proxy.ensure(table(1));
    await proxy[Symbol.asyncDispose]();

    for (let at = 1, isKilled = true; isKilled; at += 1) {
      isKilled = false;
      const kill = async () => {
        isKilled = true;
        await harness.kill((await harness.containers())[0]?.Id ?? '');
      };
      const adopted = harness.connect({ docker: interrupted(harness.docker, at, kill) });
      await adopted.ensure(table(1));
      adopted.distrust();
      await adopted.sync(table(1));
      await adopted[Symbol.asyncDispose]();
      assert.equal(serverOf(await harness.get('app-1.localhost')), app.name, `killed before call ${at}`);
    }
  });

  it('is adopted with its servers and connections when a daemon starts', async () => {
    const before = harness.connect();
    await before.ensure(table(1));
    await using socket = await openSocket(harness.port, 'app-1.localhost');
    const containers = await harness.containers();
    await before[Symbol.asyncDispose]();

    const status = await harness.connect().ensure(table(1, 2));

    assert.equal(status.reloads, 0);
    assert.deepEqual(
      (await harness.containers()).map(({ Id }) => Id),
      containers.map(({ Id }) => Id),
    );
    assert.equal(serverOf(await harness.get('app-2.localhost')), app.name);
    await socket.assertOpen();
  });

  it('reloads without a registry port that another program took from a killed daemon', inLong, async () => {
    const before = harness.connect();
    await before.ensure(table(1));
    await before[Symbol.asyncDispose]();
    const [running] = await harness.containers();
    const registryPort = await freePort();
    // The killed daemon has written the port, but HAProxy has not loaded the file.
    const left = `\nfrontend left\n  bind 127.0.0.1:${registryPort}\n`;
    await appendFile(join(harness.dataDir, 'proxy/current/haproxy.cfg'), left);
    const holder = createServer().listen(registryPort, '127.0.0.1');
    await once(holder, 'listening');
    try {
      const proxy = harness.connect({ registryPort });
      const load = startLoad(harness.port, 'app-1.localhost');
      const { problem } = await proxy.ensure(table(1, 20));
      assert.deepEqual((await load.stop()).failures, []);

      assert.match(problem ?? '', new RegExp(`^The registry cannot listen on 127\\.0\\.0\\.1:${registryPort}, `));
      assert.equal(serverOf(await harness.get('app-20.localhost')), app.name);
      assert.deepEqual(
        (await harness.containers()).map(({ Id }) => Id),
        [running?.Id],
      );

      holder.close();
      await once(holder, 'close');
      assert.equal((await proxy.sync(table(1, 20))).reloaded, true);
      assert.equal((await proxy.status()).problem, null);
    } finally {
      holder.close();
    }
  });

  it('names the occupied port, and starts automatically when the port is free', inLong, async () => {
    const proxy = harness.connect();
    const holder = createServer().listen(harness.port, '127.0.0.1');

    await assert.rejects(proxy.ensure(table(1)), {
      name: 'ProxyUnavailable',
      message: new RegExp(`cannot listen on 127.0.0.1:${harness.port}.*DAVIT_HTTP_PORT`),
    });
    assert.equal((await proxy.status()).running, false);
    assert.deepEqual(await harness.containers(), []);

    holder.close();
    await until('it serves', async () => (await harness.get('app-1.localhost').catch(() => null))?.status === 200);
  });

  it('keeps the running container if the replacement cannot start, and reports the problem', inLong, async () => {
    await using before = harness.connect();
    await before.ensure(table(1));

    const status = await harness.connect({ image: 'davit/does-not:exist' }).ensure(table(1, 2));

    assert.equal(status.running, true);
    assert.match(status.problem ?? '', /so the old container continues to run: .*davit\/does-not/);
    assert.equal(serverOf(await harness.get('app-2.localhost')), app.name);
  });
});
