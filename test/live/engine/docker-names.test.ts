import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Network } from '../../../packages/daemon/src/adapters/engine/network.ts';
import { namesAddress } from '../../../packages/daemon/src/adapters/engine/subnets.ts';
import type { Stage } from '../../../packages/daemon/test/conformance/rig.ts';
import { createStage } from '../../../packages/daemon/test/conformance/rig.ts';
import type { DockerRig } from '../../support/docker-rig.ts';
import { createDockerRig } from '../../support/docker-rig.ts';
import { removeFirewallOf } from '../../support/instance-removal.ts';
import { type Question, queryDns } from '../../support/query-dns.ts';
import { inLong } from '../../support/tiers.ts';

const NAME = 'shop.production.acme.internal';

describe('internal names on Docker', () => {
  let rig: DockerRig;
  let stage: Stage;
  before(async () => {
    rig = await createDockerRig();
    stage = createStage(rig);
    /*
     * Without these rules, containers can reach the resolver of another network while the engine rewrites its own
     * rules.
     */
    await rig.engine.limitHostAccess({ tcpPorts: [], exceptions: [] });
  });
  after(async () => {
    await removeFirewallOf(rig.docker, rig.davitId);
    await rig.cleanup();
  });

  const resolver = () => rig.docker.getContainer(`davit-${rig.davitId}-names`);
  const network = () => `davit-${rig.davitId}-shared`;
  const record = (address = '10.208.3.10') => ({ network: network(), name: NAME, addresses: [address] });

  it('resolve on a network that is created after the names were published', async () => {
    await rig.engine.publishNames([record()]);

    const { name } = await stage.network();

    assert.deepEqual(await rig.resolve(NAME, name), ['10.208.3.10']);
  });

  it('resolve for a name without a dot', async () => {
    const short = { ...record(), name: 'cubeship-acme-production-shop' };
    await rig.engine.publishNames([record(), short]);

    assert.deepEqual(await rig.resolve(short.name, network()), ['10.208.3.10']);
  });

  it('are served by an unprivileged container without IP forwarding', async () => {
    const { HostConfig: host, Config: config } = await resolver().inspect();

    const { Privileged, CapDrop, CapAdd, ReadonlyRootfs, SecurityOpt, RestartPolicy } = host;
    assert.deepEqual(
      {
        Privileged,
        CapDrop,
        CapAdd,
        ReadonlyRootfs,
        SecurityOpt,
        RestartPolicy: RestartPolicy?.Name,
        User: config.User,
      },
      {
        ...{ Privileged: false, CapDrop: ['ALL'], CapAdd: null, ReadonlyRootfs: true, User: '65534:65534' },
        ...{ SecurityOpt: ['no-new-privileges:true'], RestartPolicy: 'always' },
      },
    );
    assert.equal(host.Sysctls?.['net.ipv4.ip_forward'], '0');
  });

  it('return no address if the name does not exist', inLong, async () => {
    const { name: network } = await stage.network();

    assert.deepEqual(await rig.resolve('unknown.production.acme.internal', network), []);
    assert.deepEqual(await rig.resolve('unknown', network), []);
  });

  it('are published if the resolver was killed, lost its files or was adopted', async () => {
    const { name: network } = await stage.network();
    const publish = (address: string) => rig.engine.publishNames([record(address)]);

    await resolver().kill();
    await publish('10.208.3.11');
    assert.deepEqual(await rig.resolve(NAME, network), ['10.208.3.11']);

    await rm(join(rig.dataDir, 'names'), { recursive: true });
    await publish('10.208.3.12');
    assert.deepEqual(await rig.resolve(NAME, network), ['10.208.3.12']);

    const { Id: before } = await resolver().inspect();
    await using later = rig.reopen();
    await later.publishNames([record('10.208.3.13')]);
    assert.deepEqual(await rig.resolve(NAME, network), ['10.208.3.13']);
    assert.equal((await resolver().inspect()).Id, before);
    const { subnet } = await stage.network();
    assert.deepEqual((await readdir(join(rig.dataDir, 'names'))).sort(), [namesAddress(subnet), 'networks', 'wake']);
  });

  describe('queried from another environment', () => {
    let other: Network;
    let neighbour: string;
    before(async () => {
      other = await rig.engine.ensureNetwork(`davit-${rig.davitId}-other`);
      await rig.engine.publishNames([
        record(),
        { ...record('10.208.4.10'), network: other.name, name: 'secret.internal' },
      ]);
      neighbour = await stage.running('web');
    });
    after(async () => {
      await rig.engine.remove(neighbour);
      await rig.engine.removeNetwork(other.name);
    });

    /** Returns the response of a resolver to a question from this machine. */
    const queryResolver = (question: Question) => queryDns(namesAddress(other.subnet), question);

    for (const transport of ['udp', 'tcp'] as const) {
      it(`do not resolve over ${transport}`, async () => {
        assert.deepEqual((await queryResolver({ name: 'secret.internal', transport })).addresses, ['10.208.4.10']);
        for (const type of ['A', 'AAAA', 'ANY', 'SRV'] as const) {
          assert.deepEqual((await queryResolver({ name: NAME, type, transport })).answers, 0, type);
        }
      });
    }

    it('are not included in a zone transfer', async () => {
      for (const name of ['internal', NAME]) {
        assert.equal((await queryResolver({ name, type: 'AXFR', transport: 'tcp' })).answers, 0);
      }
    });

    it('are not found by a reverse lookup of their addresses', async () => {
      assert.equal((await queryResolver({ name: '10.3.208.10.in-addr.arpa', type: 'PTR' })).answers, 0);
    });

    it('do not expose containers by name or by reverse lookup', inLong, async () => {
      const { Name, NetworkSettings } = await rig.docker.getContainer(neighbour).inspect();
      const address = NetworkSettings.Networks[network()]?.IPAddress ?? '';
      const container = Name.slice(1);
      for (const name of [`${container}.${network()}`, container, `${neighbour.slice(0, 12)}.${network()}`]) {
        assert.deepEqual((await queryResolver({ name })).addresses, [], name);
        assert.deepEqual(await rig.resolve(name, other.name), [], name);
      }
      const reverse = `${address.split('.').toReversed().join('.')}.in-addr.arpa`;
      assert.equal((await queryResolver({ name: reverse, type: 'PTR' })).answers, 0);
    });

    it('give the same response for existing and missing container names', async () => {
      const { Name } = await rig.docker.getContainer(neighbour).inspect();
      const name = (suffix: string) => `${Name.slice(1)}${suffix}.${network()}`;
      for (const type of ['A', 'AAAA', 'ANY'] as const) {
        assert.deepEqual(
          await queryResolver({ name: name(''), type }),
          await queryResolver({ name: name('9'), type }),
          type,
        );
      }
    });

    it('are not returned to other networks by their own network’s resolver', async () => {
      const { subnet } = await stage.network();
      const output = await rig.runOn(other.name, ['timeout', '3', 'nslookup', NAME, namesAddress(subnet)]);

      assert.doesNotMatch(output, /10\.208\.3\.10/);
    });

    it('keep resolving while other names change and another network is added and removed', async () => {
      const controller = new AbortController();
      const failures: string[] = [];
      const steady = (async () => {
        while (!controller.signal.aborted) {
          const { addresses } = await queryResolver({ name: 'secret.internal' });
          if (addresses.join() !== '10.208.4.10') failures.push(`${addresses}`);
        }
      })();

      for (let n = 10; n < 20; n++) {
        const theirs = { ...record('10.208.4.10'), network: other.name, name: 'secret.internal' };
        await rig.engine.publishNames([record(`10.208.3.${n}`), theirs]);
      }
      const { name } = await rig.engine.ensureNetwork(`davit-${rig.davitId}-third`);
      await rig.engine.removeNetwork(name);
      controller.abort();
      await steady;

      assert.deepEqual(failures, []);
    });
  });

  it('lose their resolver container when the last network is removed', async () => {
    for (const name of await rig.engine.networks()) await rig.engine.removeNetwork(name);

    await assert.rejects(resolver().inspect(), { statusCode: 404 });
    await rig.engine.publishNames([]);
  });
});
