/** Tests the command `npm run catalog` in a separate process. */

import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { until } from '@davit/testkit/waiting';

const COMMAND = join(import.meta.dirname, '../../../scripts/catalog.mjs');

let dataDir = '';
let child: ChildProcess;
let text = '';
let url = '';

/**
 * Runs the command and waits for its end.
 * @returns its exit code and its output
 */
async function run(args: string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  const options = { env: { ...process.env, ...env } };
  return promisify(execFile)(process.execPath, [COMMAND, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'davit-catalog-'));
  child = spawn(process.execPath, [COMMAND, '--data-dir', dataDir, '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout?.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  await until('it is up', async () => text.includes('Ctrl-C stops it'));
  url = /Pages +(http:\S+)/.exec(text)?.[1] ?? '';
});

after(async () => {
  child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

test('the catalog command without a source serves the example templates and shows their addresses', async () => {
  assert.match(text, /✓ example templates/);
  assert.match(text, /API +http:\/\/127\.0\.0\.1:\d+\/api\/v1\/templates\n/);
  const listed = async () => (await fetch(`${url}/api/v1/templates`)).json() as Promise<{ templates?: unknown[] }>;
  await until('the first pass has ended', async () => ((await listed()).templates?.length ?? 0) > 0);
  assert.equal((await fetch(url)).headers.get('content-type'), 'text/html; charset=utf-8');
});

test('block, unblock and blocked manage the block list while the server runs', async () => {
  const where = ['--data-dir', dataDir];
  assert.match((await run(['block', 'Acme/Bad', 'for', 'a', 'reason', ...where])).output, /is blocked/);
  assert.equal((await run(['blocked', ...where])).output, 'acme/bad\n');
  await run(['unblock', 'acme/bad', ...where]);
  assert.equal((await run(['blocked', ...where])).output, 'No owner or repository is blocked.\n');
  for (const words of [['block'], ['block', 'acme'], ['block', 'a/b/c', 'x'], ['nonsense']]) {
    const { code, output } = await run([...words, ...where]);
    assert.equal(code, 1);
    assert.match(output, /^✗ /);
  }
});

test('the catalog command reports every invalid setting and does not start', async () => {
  const other = join(dataDir, 'other');
  const settings = { DAVIT_CATALOG_LISTEN: 'nowhere', DAVIT_CATALOG_INTERVAL_S: '299', DAVIT_CATALOG_SOURCE: 'svn' };
  const { code, output } = await run(['--data-dir', other], settings);
  assert.equal(code, 1);
  for (const name of Object.keys(settings)) assert.match(output, new RegExp(`^ +${name} `, 'm'));
  assert.equal(existsSync(join(other, 'examples')), false);
  assert.equal(existsSync(join(other, 'catalog.db')), false);
});

test('the catalog command reports an address that is already in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const other = join(dataDir, 'other');
  const { code, output } = await run([
    '--data-dir',
    other,
    '--listen',
    `127.0.0.1:${port}`,
    '--source',
    `dir:${dataDir}`,
  ]);
  server.close();
  assert.equal(code, 1);
  assert.match(output, new RegExp(`Another program listens on 127\\.0\\.0\\.1:${port}`));
});

test('Ctrl-C stops the catalog server with exit code 0', async () => {
  const ended = once(child, 'close');
  child.kill('SIGINT');
  const [code] = await ended;
  // If the server exceeds its time limit for stopping, it exits with another code.
  assert.equal(code, 0, text);
  assert.match(text, /✓ stop the catalog/);
  await assert.rejects(fetch(url));
});
