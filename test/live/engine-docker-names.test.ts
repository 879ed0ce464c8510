import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Stage } from '../../packages/daemon/src/engine/conformance/rig.ts';
import { createStage } from '../../packages/daemon/src/engine/conformance/rig.ts';
import type { DockerRig } from '../support/docker-rig.ts';
import { createDockerRig } from '../support/docker-rig.ts';

const RECORD = { name: 'shop.production.acme.internal', addresses: ['10.208.3.10'] };

describe('internal names on Docker', () => {
  let rig: DockerRig;
  let stage: Stage;
  before(async () => {
    rig = await createDockerRig();
    stage = createStage(rig);
  });
  after(() => rig.cleanup());

  const resolver = () => rig.docker.getContainer(`davit-${rig.davitId}-names`);

  it('are there for a network that is made after they were published', async () => {
    await rig.engine.publishNames([RECORD]);

    const { name } = await stage.network();

    assert.deepEqual(await rig.resolve(RECORD.name, name), RECORD.addresses);
  });

  it('resolve without a dot as well, on every network of this Davit', async () => {
    const second = await rig.engine.ensureNetwork(`davit-${rig.davitId}-second`);
    await rig.engine.publishNames([RECORD, { name: 'cubeship-acme-production-shop', addresses: ['10.208.3.10'] }]);

    assert.deepEqual(await rig.resolve('cubeship-acme-production-shop', second.name), ['10.208.3.10']);
    await rig.engine.removeNetwork(second.name);
    assert.deepEqual(await rig.resolve(RECORD.name, (await stage.network()).name), RECORD.addresses);
  });

  it('are answered by a process without rights, which is no way between networks', async () => {
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

  it('are not asked of anybody else when they do not exist', async () => {
    const { name: network } = await stage.network();

    assert.deepEqual(await rig.resolve('nobody.production.acme.internal', network), []);
    assert.deepEqual(await rig.resolve('nobody', network), []);
  });

  it('are published by a resolver that was killed, or removed with its files, or is the one before', async () => {
    const { name: network } = await stage.network();
    const publish = (address: string) => rig.engine.publishNames([{ name: RECORD.name, addresses: [address] }]);

    await resolver().kill();
    await publish('10.208.3.11');
    assert.deepEqual(await rig.resolve(RECORD.name, network), ['10.208.3.11']);

    await rm(join(rig.dataDir, 'names'), { recursive: true });
    await publish('10.208.3.12');
    assert.deepEqual(await rig.resolve(RECORD.name, network), ['10.208.3.12']);

    const { Id: before } = await resolver().inspect();
    await using later = rig.reopen();
    await later.publishNames([{ name: RECORD.name, addresses: ['10.208.3.13'] }]);
    assert.deepEqual(await rig.resolve(RECORD.name, network), ['10.208.3.13']);
    assert.equal((await resolver().inspect()).Id, before);
    assert.deepEqual(await readdir(join(rig.dataDir, 'names')), ['hosts']);
  });

  it('go with the last network', async () => {
    for (const name of await rig.engine.networks()) await rig.engine.removeNetwork(name);

    await assert.rejects(resolver().inspect(), { statusCode: 404 });
    await rig.engine.publishNames([]);
  });
});
