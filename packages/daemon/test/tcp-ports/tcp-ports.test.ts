/** Ports of the server that are connected directly to an app, without the proxy, with the simulated engine. */
import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { App, TcpPort } from '@davit/api';
import { bootDaemon, deployedApp, app as makeApp, paramsOf, project, type TestDaemon, user } from '@davit/testkit';

describe('TCP ports', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  after(() => daemon[Symbol.asyncDispose]());

  const at = (app: App) => `/api/apps/${app.reference}/tcp-ports`;
  const post = (app: App, body: object, key?: string) => daemon.call('POST', at(app), body, key);
  const add = async (app: App, body: object): Promise<TcpPort> => {
    const { status, text } = await post(app, body);
    assert.equal(status, 201, text);
    return JSON.parse(text) as TcpPort;
  };
  const read = (app: App): Promise<App> => daemon.client.getApp({ params: paramsOf(app) });
  const deploy = (app: App) => daemon.call('POST', `/api/apps/${app.reference}/deploy?wait=true`, { tag: 'v1' });
  const published = (app: App) =>
    daemon.engine.controls
      .containers()
      .filter((c) => c.app === app.reference && c.state === 'running')
      .at(-1)?.tcpPorts;

  it('are reserved immediately and published by the next deployment', async () => {
    const { app } = await deployedApp(daemon);

    const port = await add(app, { container_port: 5432 });

    assert.ok(port.host_port >= 17_000 && port.host_port <= 17_999);
    assert.deepEqual((await read(app)).tcp_ports, [{ id: port.id, container_port: 5432, host_port: port.host_port }]);
    assert.equal((await read(app)).pending_changes, true);
    assert.deepEqual(published(app), []);
    await deploy(app);
    assert.equal((await read(app)).pending_changes, false);
    assert.deepEqual(published(app), [{ hostPort: port.host_port, containerPort: 5432 }]);
  });

  it('can be read at their returned location but not through another app', async () => {
    const [app, other] = [await makeApp(daemon), await makeApp(daemon)];

    const { text, headers } = await post(app, { container_port: 5432 });

    const location = headers.get('location') ?? '';
    assert.equal((await daemon.call('GET', location)).text, text);
    assert.equal((await daemon.call('GET', location.replace(app.reference, other.reference))).status, 404);
  });

  it('are unique when several are requested concurrently', async () => {
    const app = await makeApp(daemon);

    const ports = await Promise.all([1, 2, 3, 4].map((n) => add(app, { container_port: n })));

    assert.equal(new Set(ports.map(({ host_port }) => host_port)).size, 4);
  });

  it('in use by another program are neither assigned nor accepted', async () => {
    const app = await makeApp(daemon);
    const first = await add(app, { container_port: 1 });
    await daemon.call('DELETE', `${at(app)}/${first.id}`);
    for (const host of ['0.0.0.0', '127.0.0.1', '::1']) {
      const busy = await listen(first.host_port, host);

      const chosen = await post(app, { container_port: 1, host_port: first.host_port });
      const given = await add(app, { container_port: 1 });

      busy.close();
      assert.equal(chosen.status, 409, host);
      assert.match(chosen.text, /Another program on this server uses port/);
      assert.notEqual(given.host_port, first.host_port);
      await daemon.call('DELETE', `${at(app)}/${given.id}`);
    }
  });

  it('in use are refused without details for an admin of some projects', async () => {
    const app = await makeApp(daemon);
    const { key } = user(daemon, 'admin', [app.project]);
    const busy = await listen(0, '127.0.0.1');
    const { port: foreign } = busy.address() as AddressInfo;
    const { port: own } = new URL(daemon.url);
    const other = await add(await makeApp(daemon, { project: await project(daemon) }), { container_port: 1 });

    for (const port of [foreign, Number(own), other.host_port]) {
      const { status, text } = await daemon.call('POST', at(app), { container_port: 1, host_port: port }, key);
      assert.equal(status, 409);
      assert.match(text, new RegExp(`Port ${port} is in use. Choose another`));
    }
    busy.close();
  });

  it('of another app are refused, and the app is named only if visible', async () => {
    const [mine, theirs] = [await project(daemon), await project(daemon)];
    const [own, other] = [await makeApp(daemon, { project: mine }), await makeApp(daemon, { project: theirs })];
    const { host_port } = await add(other, { container_port: 1 });
    const admin = user(daemon, 'admin', [mine]);

    const seen = await post(own, { container_port: 1, host_port });
    const unseen = await post(own, { container_port: 1, host_port }, admin.key);

    assert.deepEqual([seen.status, unseen.status], [409, 409]);
    assert.match(seen.text, new RegExp(other.reference));
    assert.ok(!unseen.text.includes(theirs));
  });

  it('of the instance itself are refused', async () => {
    const app = await makeApp(daemon);
    const { facts } = daemon.core;

    for (const host_port of [facts.apiAddress.port, facts.ports.registry]) {
      const { status, text } = await post(app, { container_port: 1, host_port });
      assert.equal(status, 409, text);
      assert.match(text, /Davit itself uses port/);
    }
  });

  it('are refused with invalid numbers or unknown fields', async () => {
    const app = await makeApp(daemon);
    const bad = [
      {},
      { container_port: 0 },
      { container_port: 65_536 },
      { container_port: '80' },
      { container_port: 1.5 },
    ];
    const badHosts = [1_023, 65_536, 0, null, '17000'].map((host_port) => ({ container_port: 1, host_port }));

    for (const body of [...bad, ...badHosts, { container_port: 1, protocol: 'udp' }]) {
      assert.equal((await post(app, body)).status, 400, JSON.stringify(body));
    }
    assert.deepEqual(JSON.parse((await daemon.call('GET', at(app))).text), []);
  });

  it('cannot be combined with several replicas, in either order', async () => {
    const [many, one] = [await makeApp(daemon, { scale: 2 }), await makeApp(daemon)];
    await add(one, { container_port: 1 });

    const refused = await post(many, { container_port: 1 });
    const scaled = await daemon.call('PUT', `/api/apps/${one.reference}`, { source: 'registry', scale: 2 });

    assert.deepEqual([refused.status, scaled.status], [409, 409]);
  });

  it('can be read by a viewer but not changed by a member', async () => {
    const app = await makeApp(daemon);
    const { id } = await add(app, { container_port: 1 });
    const [viewer, member] = [user(daemon, 'viewer'), user(daemon, 'member')];

    assert.equal((await daemon.call('GET', at(app), undefined, viewer.key)).status, 200);
    assert.equal((await post(app, { container_port: 1 }, member.key)).status, 403);
    assert.equal((await daemon.call('DELETE', `${at(app)}/${id}`, undefined, member.key)).status, 403);
  });

  it('can be reused after their removal or the deletion of their app', async () => {
    const [app, next] = [await makeApp(daemon), await makeApp(daemon)];
    const { id, host_port } = await add(app, { container_port: 1 });

    assert.equal((await daemon.call('DELETE', `${at(next)}/${id}`)).status, 404);
    assert.equal((await daemon.call('DELETE', `${at(app)}/${id}`)).status, 204);
    assert.equal((await daemon.call('DELETE', `${at(app)}/${id}`)).status, 404);
    await add(next, { container_port: 1, host_port });
    await daemon.call('DELETE', `/api/apps/${next.reference}`);

    assert.equal((await add(app, { container_port: 1, host_port })).host_port, host_port);
  });

  it('do not prevent another deployment of the same app', async () => {
    const { app } = await deployedApp(daemon);
    const { host_port } = await add(app, { container_port: 5432 });

    for (let n = 0; n < 2; n++) {
      const { text } = await deploy(app);
      assert.equal(JSON.parse(text).status, 'succeeded', text);
    }

    assert.deepEqual(published(app), [{ hostPort: host_port, containerPort: 5432 }]);
  });
});

async function listen(port: number, host: string): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return server;
}
