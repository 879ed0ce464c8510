/**
 * Access of containers to the server, with the simulated engine; `test/live/engine/firewall.test.ts` tests it with real
 * packets.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Instance, InstanceSettings, TcpPort } from '@davit/api';
import { createLogger } from '@davit/service';
import { bootDaemon, deployedApp, type TestDaemon } from '@davit/testkit';
import { keepFirewall } from '../../src/reconcilers/firewall.ts';
import { Harness } from '../support/harness.ts';

describe('firewall rules for container access to the server', () => {
  let daemon: TestDaemon;
  before(async () => {
    daemon = await bootDaemon();
  });
  beforeEach(async () => {
    await daemon.call('PUT', '/api/settings', {});
    await daemon.settled();
  });
  after(() => daemon[Symbol.asyncDispose]());

  const limited = () => daemon.engine.controls.hostAccess();
  const patch = (host_access: object[]) => daemon.call('PATCH', '/api/settings', { host_access });
  const own = () => [daemon.core.facts.ports.http, daemon.core.facts.ports.https];

  it('allow only the proxy ports by default, not the API port', () => {
    assert.deepEqual(limited(), { tcpPorts: own(), exceptions: [] });
    assert.ok(!limited()?.tcpPorts.includes(daemon.core.facts.apiAddress.port));
  });

  it('contain the configured exceptions immediately, in canonical form and without duplicates', async () => {
    const { status, text } = await patch([
      { address: '192.0.2.5', port: 5432 },
      { address: '2001:DB8:0:0::5', port: 53, protocol: 'udp' },
      { address: '2001:db8::5', port: 53, protocol: 'udp' },
    ]);
    await daemon.settled();

    const expected = [
      { address: '192.0.2.5', port: 5432, protocol: 'tcp' },
      { address: '2001:db8::5', port: 53, protocol: 'udp' },
    ];
    assert.equal(status, 200);
    assert.deepEqual((JSON.parse(text) as InstanceSettings).host_access, expected);
    assert.deepEqual(limited()?.exceptions, expected);
    await patch([]);
    await daemon.settled();
    assert.deepEqual(limited()?.exceptions, []);
  });

  it('reject addresses that containers must not reach, and malformed rules', async () => {
    const addresses = [
      ...['169.254.169.254', '127.0.0.1', '0.0.0.0', '224.0.0.251', '255.255.255.255', 'fe80::1', 'febf::1', 'ff02::1'],
      ...['::', '::1', '::ffff:169.254.169.254', '::ffff:a9fe:a9fe', 'fe80::1%eth0', '10.0.0.0/8', 'localhost', ''],
      ...['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254', '64:ff9b::a9fe:a9fe'],
      ...['1.2.3.4 accept', '1.2.3.4;', '192.0.2.5\n', '0x7f.1', '2130706433', '127.1', '010.0.0.1'],
    ];
    for (const address of addresses) {
      const { status, text } = await patch([{ address, port: 80 }]);
      assert.equal(status, 400, `${address}: ${text}`);
      assert.match(text, /^host_access\.0\.address: must be /);
    }
    for (const change of [{ port: 0 }, { port: 65_536 }, { port: '80' }, { protocol: 'icmp' }, { port: null }]) {
      assert.equal((await patch([{ address: '192.0.2.5', port: 80, ...change }])).status, 400);
    }
    assert.deepEqual(limited()?.exceptions, []);
  });

  it('allow a published TCP port of an app until the port is removed', async () => {
    const { app } = await deployedApp(daemon);
    const path = `/api/apps/${app.reference}/tcp-ports`;

    const { id, host_port } = JSON.parse((await daemon.call('POST', path, { container_port: 5432 })).text) as TcpPort;
    await daemon.settled();

    assert.deepEqual(limited()?.tcpPorts, [...own(), host_port]);
    await daemon.call('DELETE', `${path}/${id}`);
    await daemon.settled();
    assert.deepEqual(limited()?.tcpPorts, own());
  });

  it('are set again after the engine was unavailable', async () => {
    const before = daemon.engine.controls.count('limitHostAccess');

    daemon.engine.controls.setAvailable(false);
    daemon.engine.controls.setAvailable(true);
    await daemon.settled();

    assert.equal(daemon.engine.controls.count('limitHostAccess'), before + 1);
  });

  it('cause a warning and make the instance not ready while setting the rules fails', async () => {
    const ready = async () => (await daemon.send({ path: '/readyz' })).text;
    const warnings = async () => (JSON.parse((await daemon.call('GET', '/api/instance')).text) as Instance).warnings;
    const problem =
      'The firewall rules for containers could not be set, so containers may be able to connect to other services of this server. Find the reason in the log of the instance.';
    assert.equal(await ready(), 'ready\n');

    daemon.engine.controls.fail('limitHostAccess');
    await patch([{ address: '192.0.2.5', port: 5432 }]);
    await daemon.settled();
    const [whyNot, warned] = [await ready(), await warnings()];
    await patch([{ address: '192.0.2.5', port: 5433 }]);
    await daemon.settled();

    assert.equal(whyNot, `${problem}\n`);
    assert.ok(warned.includes(problem));
    assert.equal(await ready(), 'ready\n');
    assert.ok(!(await warnings()).includes(problem));
  });
});

describe('the firewall reconciler', () => {
  const MINUTE_MS = 60_000;

  async function started() {
    const harness = await Harness.with();
    const watch = keepFirewall(harness.core, createLogger({ level: 'error' }));
    const pass = () => watch.task.run(new AbortController().signal);
    await pass();
    return { world: harness, watch, pass, count: () => harness.engine.controls.count('limitHostAccess') };
  }

  it('sets the rules again every minute', async () => {
    const { world: harness, watch, pass, count } = await started();

    await pass();
    harness.wait(MINUTE_MS - 1);
    await pass();
    assert.equal(count(), 1);
    harness.wait(1);
    await pass();
    await pass();
    assert.equal(count(), 2);
    harness.wait(MINUTE_MS);
    await pass();

    assert.equal(count(), 3);
    assert.ok((watch.task.everyMs ?? Number.POSITIVE_INFINITY) <= MINUTE_MS);
    assert.equal(watch.problem(), null);
  });

  it('retries in less than a minute after a failure', async () => {
    const { world: harness, watch, pass, count } = await started();
    harness.engine.controls.fail('limitHostAccess');
    harness.wait(MINUTE_MS);

    const retryMs = await pass();
    assert.ok(retryMs !== undefined && retryMs < MINUTE_MS);
    assert.notEqual(watch.problem(), null);
    await pass();

    assert.equal(count(), 3);
    assert.equal(watch.problem(), null);
  });
});
