import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test, { afterEach, beforeEach, describe } from 'node:test';
import type { DockerClient, EngineCall } from '../../engine/docker/client/client.ts';
import { EngineRefused } from '../../engine/errors.ts';
import { RECIPE_LABEL } from '../../engine/labels.ts';
import { explainStart, ProxyContainers } from './containers.ts';
import { createRequest, GENERATION_LABEL, recipeOf } from './create-request.ts';

const settings = { davitId: 'abcd1234', imageId: 'sha256:1', folder: '/data/proxy', socketOwner: null };

test('createRequest takes over the listening sockets of the previous generation', () => {
  assert.equal(createRequest(settings, 1, null).Cmd.includes('-x'), false);
  assert.deepEqual(createRequest(settings, 2, 1).Cmd.slice(-2), ['-x', '/run/davit/1.sock']);
});

test('the recipe label depends on the image and not on the generation number', () => {
  const label = (generation: number) => createRequest(settings, generation, null).Labels;

  assert.deepEqual(label(1), { ...label(2), 'davit.generation': '1' });
  assert.notEqual(recipeOf({ ...settings, imageId: 'sha256:2' }), recipeOf(settings));
});

test('explainStart explains a failed start of the proxy and suggests a solution', () => {
  const reasons: [RegExp, string][] = [
    [
      /cannot listen on \*:80 .*DAVIT_HTTP_PORT/,
      '[ALERT]    (1) : Starting frontend http: cannot bind socket (Address already in use) [*:80]',
    ],
    [
      /cannot listen on \*:443 .*DAVIT_HTTPS_PORT/,
      '[ALERT]    (1) : Starting frontend web: cannot bind socket (Address already in use) [*:443]',
    ],
    [
      /HAProxy 2\.4\.22.*2\.6 or later.*DAVIT_PROXY_IMAGE/,
      "[NOTICE]   (1) : haproxy version is 2.4.22-0ubuntu0.22.04\n[ALERT] unknown keyword 'fd-hard-limit'",
    ],
    [/unknown keyword 'x'/, "[NOTICE] (1) : New\n[ALERT]    (1) : unknown keyword 'x'"],
    [/exec: haproxy: not found/, 'exec: haproxy: not found'],
    [/printed no error message/, ''],
  ];

  for (const [sentence, log] of reasons) assert.match(explainStart(log, 'exited', 443), sentence);
});

test('bindErrorOf finds the address in the log of a failed reload', async () => {
  const queries: unknown[] = [];
  let log = '';
  const stream = async ({ query }: EngineCall) => {
    queries.push(query);
    const header = Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]);
    header.writeUInt32BE(Buffer.byteLength(log), 4);
    return Readable.from([Buffer.concat([header, Buffer.from(log)])]);
  };
  const docker = { stream } as unknown as DockerClient;
  const rest = { image: null, httpsPort: 443, networkPool: '10.0.0.0/8', log: {} as never };
  const containers = new ProxyContainers({ ...settings, ...rest, docker });
  const generation = { number: 1, containerId: 'c1', socket: '', master: '' };

  log = '[ALERT] (1) : Starting frontend registry-local: cannot bind socket (Address already in use) [127.0.0.1:5000]';
  assert.equal((await containers.bindErrorOf(generation, 1_767_225_600_900))?.address, '127.0.0.1:5000');
  log = "[ALERT] (1) : unknown keyword 'x'";
  assert.equal(await containers.bindErrorOf(generation, 1_767_225_600_900), null);

  assert.partialDeepStrictEqual(queries[0], { since: 1_767_225_600 });
});

describe('a container that the engine cannot remove', () => {
  let folder: string;
  let workers: Server[];
  let removals: EventEmitter;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'davit-proxy-'));
    [workers, removals] = [[], new EventEmitter()];
  });
  afterEach(async () => {
    for (const worker of workers) worker.close();
    await rm(folder, { recursive: true });
  });

  /** Starts a worker that responds to one command on each connection. */
  async function serve(generation: number): Promise<void> {
    const worker = createServer((socket) => socket.once('data', () => socket.end('\n> 2.6.12\n\n> ')));
    workers.push(worker);
    await once(worker.listen(join(folder, `${generation}.sock`)), 'listening');
  }

  /** Returns an engine with these containers. The engine refuses to change or remove a dead container. */
  function engine(states: Record<string, string>): DockerClient {
    const answer = async ({ path, method = 'GET' }: EngineCall): Promise<unknown> => {
      if (method === 'DELETE') removals.emit(path);
      const state = states[path.split('/')[2] ?? ''] ?? '';
      if (path === '/containers/json') return listed(states);
      if (path === '/containers/create') return { Id: 'c3' };
      if (path === '/containers/c3/start') {
        await serve(3);
        states.c3 = 'running';
      }
      if (method === 'GET') return { State: { Status: state }, HostConfig: { RestartPolicy: { Name: 'always' } } };
      if (state === 'dead' && !path.endsWith('/wait')) throw new EngineRefused('container is marked for removal');
      return undefined;
    };
    return { call: answer } as unknown as DockerClient;
  }

  function listed(states: Record<string, string>) {
    const recipe = recipeOf({ ...settings, folder });
    return Object.entries(states).map(([Id, State]) => ({
      Id,
      State,
      Labels: { [GENERATION_LABEL]: Id.slice(1), [RECIPE_LABEL]: recipe },
    }));
  }

  function containersOf(states: Record<string, string>): ProxyContainers {
    const log = { info: () => undefined, warn: () => undefined } as never;
    const rest = { image: null, images: { ensure: async () => 'sha256:1' }, httpsPort: 443, networkPool: '10.0.0.0/8' };
    return new ProxyContainers({ ...settings, ...rest, folder, docker: engine(states), log });
  }

  test('does not stop the current proxy container from serving', async () => {
    await serve(2);
    const removal = once(removals, '/containers/c1');

    const { current, problem } = await containersOf({ c2: 'running', c1: 'dead' }).ensure();

    assert.deepEqual([current.number, problem], [2, null]);
    await removal;
  });

  test('does not prevent the start of a new proxy container', async () => {
    const { current } = await containersOf({ c2: 'dead', c1: 'dead' }).ensure();

    assert.equal(current.number, 3);
  });
});
