/** Access of an instance's containers to the server: real packets, on a separate engine and network. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { InstanceSettings } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { debianImageReference } from '../../../packages/daemon/src/adapters/engine/docker/made/debian-image.ts';
import { FIREWALL_IMAGE } from '../../../packages/daemon/src/adapters/engine/docker/networks/firewall.ts';
import { removalOf } from '../../../packages/daemon/src/adapters/engine/docker/networks/firewall-rules.ts';
import { type LiveApp, LiveHarness } from '../../support/live-harness.ts';
import { listenIn, nameOf, reachedFrom, type Target } from '../../support/network-reach.ts';
import { PrivateEngine, whyNoPrivateEngine } from '../../support/private-engine.ts';
import { inLong } from '../../support/tiers.ts';

const run = promisify(execFile);

/** Ports of a service of the server that stays closed, of a service that an admin opens, and of DNS. */
const PORTS = { closed: 7001, opened: 7002, dns: 53 };
/** Metadata addresses on the server itself, as in some clouds. */
const OWN_METADATA = ['169.254.169.254', '100.100.100.200'];
/** Metadata addresses of a neighbor of the server. */
const NEAR_METADATA = ['169.254.77.77', '168.63.129.16', '192.0.0.192'];
/** IPv6 prefix of a neighbor's metadata address, unique for this test. */
const METADATA_NETWORK = `fd00:ec2:${randomBytes(2).toString('hex')}:`;

describe('the firewall of an instance', { skip: whyNoPrivateEngine() ?? false }, () => {
  let engine: PrivateEngine;
  let harness: LiveHarness;
  let app: LiveApp;
  let inside: Inside;
  /** Container of another environment. */
  let neighbour: Inside;
  /** Container on a network of the engine that belongs to no instance. */
  let foreign: Inside;
  /** IPv6 address of the bridge, with the interface through which a container reaches it. */
  let bridge6 = '';
  /** Address of this machine as seen from the engine's network. */
  let machine = '';
  /** Resources that are disposed in reverse order, even if one of them fails. */
  const cleanup = new AsyncDisposableStack();

  before(async () => {
    engine = cleanup.use(await PrivateEngine.create({ liveRestore: true }));
    machine = engine.address.replace(/\d+$/, (last) => String(Number(last) - 1));
    await addMetadataServices();
    cleanup.use(await listenIn(engine.enter, [PORTS.closed, PORTS.opened, PORTS.dns]));
    cleanup.use(await listenIn([], [PORTS.closed]));
    await engine.docker.createNetwork({ Name: 'foreign' });
    harness = cleanup.use(await LiveHarness.create({ place: await withNameServer() }));
    app = await harness.app();
    await harness.client.addTcpPort({ params: app.params, body: { container_port: 8080 } });
    await app.deploy('v1');
    inside = await insideOf((await app.container()).Id);
    await addIpv6(inside);
    const other = await harness.deployedApp({ project: await harness.project() });
    neighbour = await insideOf((await other.container()).Id);
    foreign = await startForeign();
  });
  after(() => cleanup.disposeAsync());

  /** Runs a command in the engine's network. */
  async function inEngine(...command: string[]): Promise<string> {
    const [first = '', ...rest] = [...engine.enter, ...command];
    return (await run(first, rest)).stdout;
  }

  /** Sets up the engine's network for a daemon that finds the server's own address in its resolv.conf. */
  async function withNameServer() {
    const folder = cleanup.use(await mkdtempDisposable(join(tmpdir(), 'davit-resolv-')));
    const file = join(folder.path, 'resolv.conf');
    await writeFile(file, `nameserver ${engine.address}\n`);
    const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"';
    return {
      docker: engine.docker,
      dockerHost: engine.dockerHost,
      address: engine.address,
      enter: [...engine.enter, 'unshare', '--mount', 'sh', '-c', script, file],
      copyImages: (references: string[]) => engine.copyImages(references),
    };
  }

  async function addMetadataServices(): Promise<void> {
    const names = Object.entries(networkInterfaces());
    const [link = ''] = names.find(([, addresses]) => addresses?.some(({ address }) => address === machine)) ?? [];
    const addHere = (...address: string[]) => run('ip', ['addr', 'add', ...address, 'dev', link]);
    for (const address of OWN_METADATA) await inEngine('ip', 'addr', 'add', `${address}/32`, 'dev', 'lo');
    for (const address of NEAR_METADATA) {
      await addHere(`${address}/32`);
      await inEngine('ip', 'route', 'add', `${address}/32`, 'dev', 'eth0');
    }
    await addHere(`${METADATA_NETWORK}:254/64`, 'nodad');
    await inEngine('ip', 'addr', 'add', `${METADATA_NETWORK}:2/64`, 'dev', 'eth0', 'nodad');
    await inEngine('ip6tables', '-t', 'nat', '-A', 'POSTROUTING', '-o', 'eth0', '-j', 'MASQUERADE');
    // A default route, so that the packets of containers have a destination.
    await inEngine('ip', 'route', 'replace', 'default', 'via', machine);
  }

  async function insideOf(id: string): Promise<Inside> {
    const { State, NetworkSettings } = await harness.docker.getContainer(id).inspect();
    const [network] = Object.values(NetworkSettings.Networks);
    const [address = '', gateway = ''] = [network?.IPAddress, network?.Gateway];
    return { pid: State.Pid, address, gateway, resolver: gateway.replace(/1$/, '2') };
  }

  async function startForeign(): Promise<Inside> {
    const container = await harness.docker.createContainer({
      Image: `${harness.image}:v1`,
      Env: ['PORT=8080'],
      HostConfig: { NetworkMode: 'foreign' },
    });
    await container.start();
    return insideOf(container.id);
  }

  /**
   * Adds IPv6 to a container. An app may also have IPv6 through its image or a later engine. This engine removes IPv6
   * from the bridge at each start.
   */
  async function addIpv6({ pid, gateway }: Inside): Promise<void> {
    const inContainer = async (...command: string[]) =>
      (await run('nsenter', [`--net=/proc/${pid}/ns/net`, '--', ...command])).stdout;
    await inContainer('sysctl', '-qw', 'net.ipv6.conf.eth0.disable_ipv6=0');
    const routes = await inEngine('ip', '-o', 'addr', 'show', 'to', `${gateway}/32`);
    const bridge = /^\d+:\s+(\S+)/.exec(routes)?.[1] ?? '';
    await inEngine('sysctl', '-qw', `net.ipv6.conf.${bridge}.disable_ipv6=0`);
    const linkLocal = (dev: string) => ['ip', '-6', '-o', 'addr', 'show', 'dev', dev, 'scope', 'link', '-tentative'];
    const own = await until(
      'the bridge has an IPv6 address',
      () => inEngine(...linkLocal(bridge)),
      (text) => /fe80/.test(text),
    );
    await until(
      'the container has an IPv6 address',
      () => inContainer(...linkLocal('eth0')),
      (text) => /fe80/.test(text),
    );
    bridge6 = `${/inet6 (fe80[^/ ]+)/.exec(own)?.[1]}%eth0`;
    await inEngine('ip', 'addr', 'replace', 'fd5a::1/64', 'dev', bridge, 'nodad');
    await inEngine('sysctl', '-qw', 'net.ipv6.conf.all.forwarding=1');
    await inContainer('ip', 'addr', 'replace', 'fd5a::2/64', 'dev', 'eth0', 'nodad');
    await inContainer('ip', 'route', 'replace', `${METADATA_NETWORK}:/64`, 'via', 'fd5a::1');
  }

  /** Returns metadata services of clouds, and services of the server at the same addresses. */
  function metadataWays(): Target[] {
    return [
      ...[...NEAR_METADATA, `${METADATA_NETWORK}:254`].map((address): Target => ({ address, port: PORTS.closed })),
      // All ports of these addresses are closed.
      ...[...OWN_METADATA, bridge6].flatMap((address): Target[] => [
        { address, port: harness.instance.httpPort },
        ...overBoth(address, PORTS.dns),
      ]),
    ];
  }

  /** Returns containers on other networks. */
  function crossWays(): Target[] {
    return [neighbour, foreign]
      .map(({ address }): Target => ({ address, port: 8080 }))
      .concat({ address: neighbour.resolver, port: PORTS.dns });
  }

  /**
   * Returns the targets that a container reaches. Packets that the engine's rules allow only for moments are always
   * allowed here.
   */
  async function reached(targets: Target[]): Promise<string[]> {
    await inEngine('iptables', '--wait', '-I', 'FORWARD', '-j', 'ACCEPT');
    return reachedFrom(inside.pid, targets);
  }

  /** Returns all targets that containers must not reach. */
  function closedWays(): Target[] {
    const addresses = [engine.address, inside.gateway, neighbour.gateway, bridge6, ...OWN_METADATA];
    const api = Number(new URL(harness.instance.url).port);
    return [
      ...addresses.flatMap((address): Target[] => [
        ...overBoth(address, PORTS.closed),
        { address, port: PORTS.opened },
      ]),
      // The name server for containers has another address.
      ...[inside.gateway, neighbour.gateway].flatMap((address) => overBoth(address, PORTS.dns)),
      { address: engine.address, port: api },
      ...metadataWays(),
      ...crossWays(),
    ];
  }

  function setAccess(host_access: InstanceSettings['host_access']): Promise<unknown> {
    return harness.client.patchSettings({ body: { host_access } });
  }

  /**
   * Removes the rules, and checks that all targets are then reachable. This proves that the other tests can detect
   * missing rules.
   */
  async function removeRules(): Promise<void> {
    await addIpv6(inside);
    const container = await harness.docker.createContainer({
      Image: debianImageReference(FIREWALL_IMAGE),
      Cmd: [removalOf(harness.instance.id ?? '')],
      HostConfig: { NetworkMode: 'host', CapAdd: ['NET_ADMIN'], AutoRemove: true },
    });
    const ended = container.wait({ condition: 'removed' });
    await container.start();
    await ended;
    // The proxy does not listen on IPv6 here, nor on the link-local address of the bridge.
    const open = [...metadataWays().filter(({ address }) => address !== bridge6), ...crossWays()];
    assert.deepEqual(await reached(open), open.map(nameOf));
  }

  /**
   * Starts a container. After a reboot, an engine that fails to start a container, for example because its port is not
   * free yet, does not try again.
   * @returns the state of the container before, and the error of the engine or null
   */
  async function startAgain(id: string) {
    const container = engine.docker.getContainer(id);
    const { State: state } = await container.inspect();
    const error = await container.start().then(
      () => null,
      (error: Error) => error.message,
    );
    return { state, error };
  }

  async function status(): Promise<number> {
    return (await fetch(`${harness.instance.url}/readyz`)).status;
  }

  test('blocks containers from other server ports, other networks and metadata services', async () => {
    await until('the instance is ready', status, (code) => code === 200);

    assert.deepEqual(await reached(closedWays()), []);
  });

  test('allows containers to reach the proxy, DNS, published ports and other hosts', async () => {
    const [published] = await harness.client.listTcpPorts({ params: app.params });
    const ways: Target[] = [
      ...[engine.address, inside.gateway].flatMap((address): Target[] => [
        { address, port: harness.instance.httpPort },
        { address, port: harness.instance.httpsPort },
        { address, port: published?.host_port ?? 0 },
      ]),
      ...overBoth(engine.address, PORTS.dns),
      { address: inside.resolver, port: PORTS.dns },
      ...overBoth(machine, PORTS.closed),
    ];

    assert.deepEqual(await reachedFrom(inside.pid, ways), ways.map(nameOf));
    assert.equal((await app.get()).status, 200);
    assert.match(
      (await app.run('nslookup', '-type=a', `${app.host.split('.')[0]}.production.${app.params.project}.internal`))
        .output,
      /Address: 10\./,
    );
  });

  test('allows the resolver to reach only DNS on the addresses of the server', async () => {
    const { Id } = await harness.docker.getContainer(`davit-${harness.instance.id}-names`).inspect();
    const { pid } = await insideOf(Id);
    const ways = [inside.gateway, ...OWN_METADATA].flatMap((address) => overBoth(address, PORTS.dns));
    const closed = ways.map((way): Target => ({ ...way, port: PORTS.closed }));

    assert.deepEqual(await reachedFrom(pid, [...ways, ...closed]), ways.map(nameOf));
  });

  test('allows foreign containers to reach only published ports of the instance', async () => {
    const [published] = await harness.client.listTcpPorts({ params: app.params });
    const ways: Target[] = [
      { address: inside.address, port: 8080 },
      { address: inside.resolver, port: PORTS.dns },
      { address: engine.address, port: published?.host_port ?? 0 },
    ];

    assert.deepEqual(await reachedFrom(foreign.pid, ways), [nameOf(ways.at(-1) as Target)]);
  });

  test('opens and closes a service for containers when an admin changes host access', async () => {
    const target: Target = { address: engine.address, port: PORTS.opened };
    const reached = () =>
      reachedFrom(inside.pid, [target, { ...target, protocol: 'udp' }, { ...target, address: inside.gateway }]);

    await setAccess([{ address: engine.address, port: PORTS.opened, protocol: 'tcp' }]);
    await until('it is open', reached, (found) => found.join() === nameOf(target));
    await setAccess([]);
    await until('it is closed', reached, (found) => found.length === 0);
  });

  test('blocks the same targets at all times during an engine restart', async () => {
    const restart = (async () => {
      await engine.stop();
      await engine.start({ liveRestore: true });
    })();
    let isOver = false;
    const over = restart.finally(() => {
      isOver = true;
    });
    const found: string[] = [];
    while (!isOver) found.push(...(await reached(closedWays())));
    await over;
    await addIpv6(inside);
    found.push(...(await reached(closedWays())));

    assert.deepEqual(found, []);
    await until('the instance is ready', status, (code) => code === 200);
  });

  test('restores removed rules when the engine restarts', inLong, async () => {
    await removeRules();

    await engine.stop();
    await engine.start({ liveRestore: true });

    await addIpv6(inside);
    await until(
      'everything is closed',
      () => reached(closedWays()),
      (found) => found.length === 0,
    );
  });

  test('keeps the rules of two instances separate, also when the second instance is removed', inLong, async () => {
    await using second = await LiveHarness.create({ place: engine });
    await until(
      'it is ready',
      async () => (await fetch(`${second.instance.url}/readyz`)).status,
      (code) => code === 200,
    );
    const theirs = await second.deployedApp();
    const { Id } = await theirs.container();
    const { State } = await second.docker.getContainer(Id).inspect();
    await second.client.patchSettings({
      body: { host_access: [{ address: engine.address, port: PORTS.opened, protocol: 'tcp' }] },
    });
    const open: Target = { address: engine.address, port: PORTS.opened };
    const proxies: Target[] = [harness, second].map(({ instance }) => ({
      address: engine.address,
      port: instance.httpPort,
    }));
    const [published] = await harness.client.listTcpPorts({ params: app.params });
    const port: Target = { address: engine.address, port: published?.host_port ?? 0 };

    await until(
      'it is open to theirs',
      () => reachedFrom(State.Pid, [open]),
      (found) => found.length === 1,
    );
    const ways = [...proxies, port, { address: inside.address, port: 8080 }];
    assert.deepEqual(await reachedFrom(State.Pid, ways), [nameOf(proxies[1] as Target)]);
    assert.deepEqual(await reachedFrom(inside.pid, [open, ...proxies]), [nameOf(proxies[0] as Target)]);
    await second.instance[Symbol.asyncDispose]();
    assert.deepEqual(await reached(closedWays()), []);
  });

  test('applies the rules after a reboot before the daemon runs', inLong, async () => {
    await harness.instance.stop();
    await removeRules();

    await engine.reboot({ liveRestore: true });

    const { Id } = await app.container();
    inside = await until(
      'the app runs',
      async () => {
        const found = await insideOf(Id);
        return found.pid === 0 ? { ...found, ...(await startAgain(Id)) } : found;
      },
      ({ pid }) => pid !== 0,
    );
    await addIpv6(inside);
    await until(
      'everything is closed',
      () => reached(closedWays()),
      (found) => found.length === 0,
    );
    await harness.instance.start();
    await until('the instance is ready', status, (code) => code === 200);
  });
});

/** A process of a container, and its neighboring addresses. */
interface Inside {
  pid: number;
  address: string;
  gateway: string;
  resolver: string;
}

function overBoth(address: string, port: number): Target[] {
  return [
    { address, port },
    { address, port, protocol: 'udp' },
  ];
}
