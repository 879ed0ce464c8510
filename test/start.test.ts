import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isExampleApp } from '@davit/api';
import { until } from '@davit/testkit/waiting';
import { sendRequest } from '../scripts/demo/local-api.ts';

const START = join(import.meta.dirname, '../scripts/start.mjs');
const EXAMPLE = '/api/apps/demo/production/hello';

let dataDir = '';
let first: Run;

interface Run {
  child: ChildProcess;
  text(): string;
  /** Resolves when the output contains the text. Rejects if the command ends first. */
  says(words: string): Promise<void>;
  ended: Promise<number | null>;
}

/** Runs the start command with the simulated engine, so that Docker on this machine does not change. */
function start(): Run {
  const settings = ['--engine', 'memory', '--listen', '127.0.0.1:0', '--http-port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, [START, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  const ended = once(child, 'close').then(([code]) => code);
  const says = (words: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => text.includes(words) && resolve();
      child.stdout.on('data', look);
      void ended.then(() => reject(new Error(`it ended without saying "${words}":\n${text}`)));
      look();
    });
  return { child, text: () => text, says, ended };
}

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'davit-start-'));
  first = start();
  await first.says('Ctrl-C stops the instance');
});

after(async () => {
  first.child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

test('the first start deploys the example and prints the API address and setup token', async () => {
  const text = first.text();

  assert.match(text, /✓ deploy the example/);
  assert.match(text, /API +http:\/\/127\.0\.0\.1:\d+\n/);
  assert.match(text, /Setup token +\w+/);
  assert.match(text, /simulated/);
});

test('a second start on the same data directory prints the first address and exits successfully', async () => {
  const api = /API +(http\S+)/.exec(first.text())?.[1];

  const second = start();
  const code = await second.ended;

  assert.equal(code, 0);
  assert.ok(api !== undefined && second.text().includes(`is already running on ${dataDir}: ${api}`), second.text());
});

test('the example app has the label by which the dashboard finds it', async () => {
  const { status, text } = await sendRequest(join(dataDir, 'davit.sock'), 'GET', EXAMPLE);

  assert.equal(status, 200, text);
  assert.ok(isExampleApp(JSON.parse(text)), text);
});

test('SIGINT stops the instance gracefully with exit code 0', async () => {
  first.child.kill('SIGINT');
  const code = await first.ended;

  assert.equal(code, 0);
  assert.match(first.text(), /✓ stop the instance/);
});

test('a start does not deploy the example app again after its removal', async () => {
  const socket = join(dataDir, 'davit.sock');
  const before = start();
  await before.says('Ctrl-C stops the instance');
  const { status, text } = await sendRequest(socket, 'DELETE', EXAMPLE);
  assert.equal(status, 204, text);
  before.child.kill('SIGINT');
  await before.ended;

  const next = start();
  await next.says('Ctrl-C stops the instance');
  const left = await sendRequest(socket, 'GET', '/api/apps');
  next.child.kill('SIGINT');
  await next.ended;

  assert.deepEqual(JSON.parse(left.text), []);
  assert.doesNotMatch(next.text(), /deploy the example|Example app/);
});

test('killing the start command ends the catalog but keeps the instance running', async (t) => {
  const killed = start();
  await killed.says('Ctrl-C stops the instance');
  const children = await processesOf(killed.child.pid ?? 0);
  // The start command is killed, so the test must end the remaining processes.
  t.after(() => children.filter(isThere).forEach((pid) => void process.kill(pid, 'SIGKILL')));
  const { port } = new URL(/Templates +(http\S+)/.exec(killed.text())?.[1] ?? '');
  assert.ok(await listens(Number(port)));
  assert.equal(children.length, 2);

  killed.child.kill('SIGKILL');
  await killed.ended;

  await until('the catalog has ended', () => children.filter(isThere).length <= 1);
  assert.equal(await listens(Number(port)), false, 'the catalog is still there');
  assert.equal(children.filter(isThere).length, 1, 'the instance is gone, too');
  const next = start();
  assert.equal(await next.ended, 0);
  assert.match(next.text(), /is already running/);
});

async function processesOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('connect', () => {
    socket.destroy();
    resolve(true);
  });
  socket.on('error', () => resolve(false));
  return promise;
}
