import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Group, GroupMember } from '../../group.ts';
import { instanceRequest, limitFields, oneOffRequest } from './create-request.ts';

const PLACEMENT = { davitId: 'abcd1234', dns: ['10.208.3.2', '192.0.2.53'], defaultMemoryBytes: 1000 };
const MEMBER: GroupMember = { name: 'davit-abcd1234-7-1', address: '10.208.3.10', env: { PORT: '8080', MODE: 'own' } };
const GROUP: Group = {
  kind: 'app',
  app: 'acme/production/shop',
  deployment: 7,
  imageId: 'sha256:1',
  network: 'davit-abcd1234-e1',
  env: { MODE: 'shared' },
  command: null,
  args: null,
  limits: { cpu: null, memoryBytes: null, pids: 100 },
  stopSignal: 'SIGINT',
  volumes: [{ name: 'davit-abcd1234-v1', path: '/data' }],
  tcpPorts: [{ hostPort: 5432, containerPort: 5000 }],
  files: [],
  members: [MEMBER],
};

describe('container create requests', () => {
  it('contains the image, variables, labels, network, mounts, limits and security options of an instance', () => {
    const { HostConfig: host, ...rest } = instanceRequest(GROUP, MEMBER, PLACEMENT);

    assert.deepEqual(rest, {
      Image: 'sha256:1',
      Env: ['MODE=own', 'PORT=8080'],
      Labels: {
        'davit.instance': 'abcd1234',
        'davit.kind': 'app',
        'davit.app': 'acme/production/shop',
        'davit.deployment': '7',
      },
      StopSignal: 'SIGINT',
      Healthcheck: { Test: ['NONE'] },
      ExposedPorts: { '5000/tcp': {} },
      NetworkingConfig: { EndpointsConfig: { 'davit-abcd1234-e1': { IPAMConfig: { IPv4Address: '10.208.3.10' } } } },
    });
    const { CapAdd, Mounts, MemorySwap, ...limits } = host;
    assert.deepEqual(limits, {
      NetworkMode: 'davit-abcd1234-e1',
      Dns: ['10.208.3.2', '192.0.2.53'],
      Init: true,
      RestartPolicy: { Name: 'no' },
      SecurityOpt: ['no-new-privileges:true'],
      CapDrop: ['ALL'],
      LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '3' } },
      Memory: 1000,
      PidsLimit: 100,
      PortBindings: { '5000/tcp': [{ HostPort: '5432' }] },
    });
    assert.equal((CapAdd as string[]).length, 11);
    assert.deepEqual(
      (Mounts as { Type: string }[]).map((mount) => mount.Type),
      ['volume'],
    );
    assert.ok((MemorySwap as number) > 2 ** 40);
  });

  it('keeps the image’s command or replaces the entrypoint, the arguments or both', () => {
    const commandOf = (change: Partial<Group>) => {
      const { Entrypoint, Cmd } = instanceRequest({ ...GROUP, ...change }, MEMBER, PLACEMENT);
      return [Entrypoint, Cmd];
    };

    assert.deepEqual(commandOf({}), [undefined, undefined]);
    assert.deepEqual(commandOf({ command: ['a'] }), [['a'], undefined]);
    assert.deepEqual(commandOf({ args: ['b'] }), [undefined, ['b']]);
    assert.deepEqual(commandOf({ command: ['a'], args: [] }), [['a'], []]);
  });

  it('omits the deployment label and sets shared memory for a database', () => {
    const request = instanceRequest({ ...GROUP, kind: 'database', deployment: null }, MEMBER, PLACEMENT);

    assert.deepEqual(request.Labels, {
      'davit.instance': 'abcd1234',
      'davit.kind': 'database',
      'davit.app': 'acme/production/shop',
    });
    assert.equal(request.HostConfig.ShmSize, 256 * 2 ** 20);
  });

  it('runs only the given command for a one-off container, without a fixed address', () => {
    const { app, imageId, network, env, limits, volumes } = GROUP;
    const oneOff = {
      kind: 'release' as const,
      name: 'davit-abcd1234-7-release',
      app,
      deployment: 7,
      imageId,
      network,
      env,
      limits,
      volumes,
    };

    const request = oneOffRequest({ ...oneOff, command: ['migrate', '--all'] }, PLACEMENT);

    assert.deepEqual([request.Entrypoint, request.Cmd], [['migrate', '--all'], []]);
    assert.equal(request.Labels['davit.kind'], 'release');
    assert.deepEqual(request.NetworkingConfig.EndpointsConfig, { 'davit-abcd1234-e1': {} });
  });

  it('sets the requested CPU, memory and process limits', () => {
    assert.deepEqual(limitFields({ cpu: 0.25, memoryBytes: 500, pids: 1 }, 1000), {
      ...{ Memory: 500, MemorySwap: 500, NanoCpus: 250_000_000, PidsLimit: 1 },
    });
  });
});
