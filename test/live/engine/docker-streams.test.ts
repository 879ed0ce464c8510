import assert from 'node:assert/strict';
import type { Server, Socket } from 'node:net';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { createDockerEngine } from '../../../packages/daemon/src/adapters/engine/docker/docker.ts';
import type { EngineEvent } from '../../../packages/daemon/src/adapters/engine/engine.ts';
import {
  EngineRefused,
  EngineUnavailable,
  ImageNotFound,
} from '../../../packages/daemon/src/adapters/engine/errors.ts';
import { LABEL } from '../../../packages/daemon/src/adapters/engine/labels.ts';
import type { Stage } from '../../../packages/daemon/test/conformance/rig.ts';
import { codeOf, createStage, soon } from '../../../packages/daemon/test/conformance/rig.ts';
import { customImage } from '../../support/docker-images.ts';
import type { DockerRig } from '../../support/docker-rig.ts';
import { createDockerRig, emptyRegistry, portOf } from '../../support/docker-rig.ts';

describe('the Docker engine adapter', () => {
  let rig: DockerRig;
  let stage: Stage;
  before(async () => {
    rig = await createDockerRig();
    stage = createStage(rig);
  });
  afterEach(() => stage.clear());
  after(() => rig.cleanup());

  /** Returns the lines of a script after its end. */
  async function linesOf(script: string): Promise<string[]> {
    const id = await stage.running('web', { command: ['sh', '-c', script] });
    await rig.engine.waitExit(id, soon());
    return (await rig.engine.lastLines(id, 1_000)).map((line) => line.line);
  }

  it('joins a log line that the engine split, and splits an overlong line', async () => {
    const [long, huge, rest, last] = await linesOf(
      'head -c 100000 /dev/zero | tr "\\0" x; echo; head -c 300000 /dev/zero | tr "\\0" y; echo; echo end',
    );

    assert.equal(long, 'x'.repeat(100_000));
    assert.equal(`${huge}${rest}`, 'y'.repeat(300_000));
    assert.equal(last, 'end');
  });

  it('reads log lines with binary data and null bytes', async () => {
    const lines = await linesOf('head -c 20000 /dev/urandom; echo; printf "a\\0b\\r\\n"; printf "\\303\\244\\n"');

    assert.deepEqual(lines.slice(-2), ['a\0b', 'ä']);
  });

  it('reads a last log line without a newline', async () => {
    assert.deepEqual(await linesOf('printf unfinished'), ['unfinished']);
  });

  it('keeps the last 64 KiB of the output of a one-off container', async () => {
    const { imageId, network, app, deployment, limits } = await stage.group();
    const command = ['sh', '-c', 'head -c 500000 /dev/zero | tr "\\0" x; echo; echo the end'];
    const oneOff = {
      kind: 'release' as const,
      app,
      deployment,
      imageId,
      network,
      env: {},
      command,
      limits,
      volumes: [],
    };

    const { output } = await rig.engine.runOnce({ ...oneOff, name: `davit-${rig.davitId}-loud` }, soon());

    assert.equal(output.length, 64 * 1024);
    assert.ok(output.endsWith('xx\nthe end\n'));
  });

  it('takes over a one-off container of an earlier daemon without running the command twice', async () => {
    const { imageId, network, app, deployment, limits } = await stage.group();
    const name = `davit-${rig.davitId}-begun`;
    const command = ['sh', '-c', 'echo begun; exit 5'];
    const labels = { [LABEL.instance]: rig.davitId, [LABEL.kind]: 'release', [LABEL.deployment]: String(deployment) };
    const begun = { name, Image: imageId, Cmd: command, Labels: labels, HostConfig: { NetworkMode: network } };
    const container = await rig.docker.createContainer(begun);
    await container.start();
    await container.wait();

    const oneOff = {
      kind: 'release' as const,
      name,
      app,
      deployment,
      imageId,
      network,
      env: {},
      command: ['false'],
      limits,
      volumes: [],
    };

    assert.deepEqual(await rig.engine.runOnce(oneOff, soon()), { exitCode: 5, output: 'begun\n' });
  });

  it('reports an error inside a successful response to a pull', async () => {
    const registry = await emptyRegistry();
    try {
      const address = `127.0.0.1:${portOf(registry)}`;
      const options = { davitId: rig.davitId, dockerHost: null, networkPool: '10.208.0.0/12', dataDir: rig.dataDir };
      await using engine = createDockerEngine(options);

      await assert.rejects(engine.pullImage(`${address}/broken:1`, null, soon()), EngineRefused);
      await assert.rejects(engine.pullImage(`${address}/nothing`, null, soon()), ImageNotFound);
    } finally {
      registry.close();
    }
  });

  it('reports registry_not_public, not a missing image, for a registry that cannot be reached', async () => {
    await assert.rejects(rig.engine.pullImage('registry.invalid/shop:1', null, soon()), (error) => {
      assert.equal(codeOf(error), 'registry_not_public');
      return true;
    });
  });

  it('does not start a health check while the previous health check hangs', async () => {
    const reference = await customImage(rig.docker, 'hanging', ['HEALTHCHECK CMD sleep 1000', 'CMD ["sleep", "5000"]']);
    const imageId = (await rig.engine.findImage(reference))?.id ?? '';
    const [id = ''] = await rig.engine.createGroup(await stage.group({ imageId }));
    await rig.engine.start(id);

    for (let look = 0; look < 3; look++) {
      const result = await rig.engine.probe(id, { kind: 'command', timeoutMs: 50 });
      assert.deepEqual(result, { ok: false, reason: 'no response within 50 ms' });
    }

    const isHanging = (process: string[]) => process.join(' ').includes('sleep 1000');
    await until('it runs', async () => (await rig.docker.getContainer(id).top()).Processes.some(isHanging));
    const { Processes: processes } = await rig.docker.getContainer(id).top();
    assert.ok(processes.filter((process: string[]) => process.at(-1) === 'sleep 1000').length <= 1);
  });

  it('resumes watching and waiting after a broken connection, and emits a resync event', async () => {
    const line = await breakableSocket(join(rig.dataDir, 'line.sock'));
    const options = { davitId: rig.davitId, networkPool: '10.208.0.0/12', dataDir: rig.dataDir };
    await using engine = createDockerEngine({ ...options, dockerHost: `unix://${line.path}` });
    const id = await stage.running('web');
    const watching = new AbortController();
    try {
      const events = engine.watch(watching.signal)[Symbol.asyncIterator]();
      const end = engine.waitExit(id, soon());
      await until('both are connected', async () => line.connections() >= 2);

      await line.cut();
      await assert.rejects(engine.info(), EngineUnavailable);
      await line.heal();
      let event: EngineEvent | undefined;
      do event = (await events.next()).value;
      while (event?.kind !== 'resync');
      await rig.engine.stop(id, { signal: 'SIGTERM', graceS: 2 });

      assert.equal((await end).oomKilled, false);
    } finally {
      watching.abort();
      await line.cut();
    }
  });
});

/** A forwarded socket of the engine whose connections a test can cut. */
async function breakableSocket(path: string) {
  const sockets = new Set<Socket>();
  let server: Server;
  const heal = async () => {
    server = createServer((near) => {
      const far = createConnection('/var/run/docker.sock');
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
      }
      near.pipe(far).pipe(near);
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
  };
  const cut = async () => {
    /*
     * The server first stops accepting connections. Otherwise, the close would wait for connections that the loop below
     * misses.
     */
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await heal();
  return { path, heal, cut, connections: () => sockets.size / 2 };
}
