import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { EngineProblem } from '../../engine-problem.ts';
import { EngineRefused, EngineUnavailable } from '../../errors.ts';
import type { DockerClient } from './client.ts';
import { createDockerClient, registryAuthHeader } from './client.ts';
import { isStatus } from './errors.ts';

const CURRENT = { Version: '20.10.24', ApiVersion: '1.41', MinAPIVersion: '1.12' };

/** Starts a simulated Engine API with these responses. `seen` contains the paths of all requests. */
async function fakeEngine(
  test: TestContext,
  version: object,
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end('{}'),
): Promise<{ client: DockerClient; seen: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-client-'));
  const path = join(folder, 'engine.sock');
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.setHeader('Content-Type', 'application/json');
    if (request.url === '/version') response.end(JSON.stringify(version));
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const client = createDockerClient(`unix://${path}`);
  test.after(async () => {
    await client[Symbol.asyncDispose]();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });
  return { client, seen };
}

const INFO = { doing: 'ask for the engine info', path: '/info' };

describe('the Docker client', () => {
  it('negotiates the API version only before the first request', async (test) => {
    const { client, seen } = await fakeEngine(test, CURRENT);

    await client.call(INFO);
    await client.call(INFO);

    assert.deepEqual(seen, ['/version', '/v1.41/info', '/v1.41/info']);
  });

  it('opens a new connection for a request with the fresh option', async (test) => {
    const connections = new Set<unknown>();
    const { client } = await fakeEngine(test, CURRENT, (request, response) => {
      connections.add(request.socket);
      response.end('{}');
    });

    await client.call(INFO);
    await client.call(INFO);
    await client.call({ ...INFO, fresh: true });

    assert.equal(connections.size, 2);
  });

  it('uses the oldest API version that a newer engine supports', async (test) => {
    const { client, seen } = await fakeEngine(test, { Version: '29.0', ApiVersion: '1.52', MinAPIVersion: '1.44' });

    await client.call(INFO);

    assert.equal(seen[1], '/v1.44/info');
  });

  it('refuses an engine that is too old and recommends an update', async (test) => {
    const { client } = await fakeEngine(test, { Version: '19.03.1', ApiVersion: '1.40', MinAPIVersion: '1.12' });

    await assert.rejects(client.call(INFO), (error: Error) => {
      assert.ok(error instanceof EngineRefused);
      assert.match(
        error.message,
        /^The Docker Engine 19\.03\.1 at .* is too old \(API 1\.40\)\. Update it to version 20\.10 or later\.$/,
      );
      return true;
    });
  });

  it('refuses an engine that no longer supports any known API version', async (test) => {
    const { client } = await fakeEngine(test, { Version: '99', ApiVersion: '1.99', MinAPIVersion: '1.98' });

    await assert.rejects(client.call(INFO), /does not support. Update Davit/);
  });

  it('requests the API version again after the engine refuses the negotiated version', async (test) => {
    const words = 'client version 1.41 is too old. Minimum supported API version is 1.44';
    const { client, seen } = await fakeEngine(test, CURRENT, (_, response) => {
      response.writeHead(400).end(JSON.stringify({ message: words }));
    });

    await assert.rejects(client.call(INFO), EngineRefused);
    await assert.rejects(client.call(INFO), EngineRefused);

    assert.equal(seen.filter((path) => path === '/version').length, 2);
  });

  it('keeps the engine’s error text for the log and returns a code and status', async (test) => {
    const { client } = await fakeEngine(test, CURRENT, (_, response) => {
      response.writeHead(409).end(JSON.stringify({ message: 'SECRET: port is already allocated' }));
    });

    await assert.rejects(client.call({ ...INFO, doing: 'create container' }), (error: Error) => {
      assert.ok(error instanceof EngineProblem);
      assert.deepEqual(
        [error.code, error.words],
        ['port_taken', 'create container: SECRET: port is already allocated'],
      );
      assert.doesNotMatch(error.message, /SECRET/);
      return isStatus(error, 409);
    });
  });

  it('fails with EngineUnavailable if the engine does not respond before the timeout', async (test) => {
    const { client } = await fakeEngine(test, CURRENT, () => undefined);

    await assert.rejects(client.call({ ...INFO, timeoutMs: 30 }), (error: Error) => {
      assert.ok(error instanceof EngineUnavailable);
      assert.match(error.message, /did not respond within 0\.03 s/);
      return true;
    });
  });

  it('rejects a call with the reason of its aborted signal', async (test) => {
    const calling = new AbortController();
    const reason = new Error('called off');
    const { client } = await fakeEngine(test, CURRENT, () => calling.abort(reason));

    await assert.rejects(client.call({ ...INFO, signal: calling.signal, timeoutMs: null }), reason);
  });

  it('suggests starting Docker if no engine accepts the connection', async () => {
    const sentence = async (dockerHost: string) =>
      createDockerClient(dockerHost)
        .call(INFO)
        .catch((error: Error) => error.message);

    assert.match(
      (await sentence('unix:///nowhere/docker.sock')) as string,
      /^No Docker Engine was found at unix:.*\. Start it/,
    );
    assert.match(
      (await sentence('tcp://127.0.0.1:1')) as string,
      /^The Docker Engine at tcp:.* refuses connections\. Start it/,
    );
  });

  it('accepts unix and tcp addresses in DOCKER_HOST and refuses other forms', () => {
    assert.equal(createDockerClient(null).address, 'unix:///var/run/docker.sock');
    assert.equal(createDockerClient('tcp://192.0.2.1:2375').address, 'tcp://192.0.2.1:2375');
    for (const host of ['ssh://host', 'docker.sock', 'unix://']) {
      assert.throws(() => createDockerClient(host), /Set it to unix:\/\/\/path\/of\/docker\.sock or tcp:\/\/host:port/);
    }
  });

  it('encodes registry credentials of every length as valid base64url', () => {
    for (let length = 0; length < 8; length += 1) {
      const auth = { username: 'davit', password: '~?'.repeat(4).slice(0, length) };
      const header = registryAuthHeader(auth);

      assert.equal(header.length % 4, 0);
      assert.match(header, /^[A-Za-z0-9_-]+={0,2}$/);
      assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url').toString()), auth);
    }
  });
});
