/** The official conformance scenarios for MCP servers, against a whole daemon. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { app, bootDaemon, type TestDaemon } from '@davit/testkit';
import { inLong } from '../../../../test/support/tiers.ts';

const PACKAGES = join(import.meta.dirname, '../../../../node_modules');
const CONFORMANCE = join(PACKAGES, '@modelcontextprotocol/conformance/dist/index.js');

/** Scenarios that need no special tools, resources or prompts in the server. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

/** Starts a proxy that adds an API key to each request, because the conformance program cannot send one. */
async function startProxy({ url, key }: TestDaemon): Promise<Server> {
  const { hostname, port } = new URL(url);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const authorized = { ...headers, authorization: `Bearer ${key}` };
    const forwarded = request({ hostname, port, method, path, headers: authorized }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('the MCP conformance scenario', { skip: inLong.skip }, () => {
  let daemon: TestDaemon;
  let proxy: Server;
  before(async () => {
    daemon = await bootDaemon();
    await app(daemon);
    proxy = await startProxy(daemon);
  });
  after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await daemon[Symbol.asyncDispose]();
  });

  for (const scenario of SCENARIOS) {
    it(`${scenario} passes`, async () => {
      const { port } = proxy.address() as AddressInfo;
      const words = ['server', '--url', `http://127.0.0.1:${port}/mcp`, '--scenario', scenario];
      const child = spawn(process.execPath, [CONFORMANCE, ...words], {
        cwd: tmpdir(),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      // A scenario without checks would also exit with 0.
      assert.match(stdout, /Passed: [1-9]\d*\/\d+, 0 failed/, stderr);
    });
  }
});
