/** The systemd unit is valid and restricts the daemon, and the daemon reports its readiness. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { patience, until } from '@davit/testkit/waiting';
import { startInstance } from '../support/instance.ts';
import { inLong } from '../support/tiers.ts';

const run = promisify(execFile);
const UNIT = join(import.meta.dirname, '../../packaging/davit.service');
const READY = join(import.meta.dirname, '../../packaging/ready.mjs');
const ADDRESS = 'http://127.0.0.1:3000';
/** Maximum exposure level of the service, from 0 to 10. Most services have more than 9. */
const MAX_EXPOSURE = 3;

describe('the service of a release', inLong, () => {
  let folder: string;
  let unit: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'davit-service-'));
    unit = join(folder, 'davit.service');
    const text = (await readFile(UNIT, 'utf8')).replaceAll('/opt/davit/current/bin/davitd', '/bin/true');
    const values: Record<string, string> = { USER: 'root', DATA: '/var/lib/davit', HOME: 'yes', GROUP: 'daemon' };
    await writeFile(
      unit,
      text.replaceAll(/@([A-Z]+)@/g, (_, name: string) => values[name] ?? ''),
    );
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test('passes systemd-analyze verify', async () => {
    const { stdout, stderr } = await run('systemd-analyze', ['verify', unit]);
    assert.equal(stdout + stderr, '');
  });

  test(`has an exposure of at most ${MAX_EXPOSURE}, even as root`, async () => {
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', unit]);
    const exposure = Number(/exposure level.*?: ([\d.]+)/.exec(stdout)?.[1]);
    assert.ok(exposure <= MAX_EXPOSURE, stdout);
  });

  test('gets the message that the instance is ready', async () => {
    const socket = join(folder, 'notify.sock');
    const messages = join(folder, 'messages');
    const listener = spawn('socat', ['-u', `UNIX-RECV:${socket}`, `OPEN:${messages},creat,append`]);
    try {
      await until('the socket exists', () => existsSync(socket));
      await using _ = await startInstance({ engine: 'memory', env: { NOTIFY_SOCKET: socket } });
      await until('the message arrives', async () => {
        const text = await readFile(messages, 'utf8').catch(() => '');
        return text.includes('READY=1');
      });
    } finally {
      const ended = once(listener, 'exit');
      listener.kill('SIGTERM');
      await ended;
    }
  });
});

describe('the report that an instance is ready', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'davit-ready-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Returns the output for an instance that reports an address. */
  async function report(address = ADDRESS): Promise<string> {
    const server = createServer((_, response) => response.writeHead(200, { 'davit-address': address }).end());
    server.listen(join(folder, 'davit.sock'));
    await once(server, 'listening');
    try {
      const { stdout } = await run(process.execPath, [READY, folder], { signal: patience() });
      return stdout;
    } finally {
      server.close();
    }
  }

  test('contains the address and the setup token', async () => {
    await writeFile(join(folder, 'setup-token'), 'my.Token-1\n');
    const output = await report();
    assert.ok(output.includes(`${ADDRESS}/claim#token=my.Token-1\n`), output);
  });

  const REPLACED: Record<string, (token: string) => Promise<unknown>> = {
    'a link': async (token) => {
      await writeFile(join(folder, 'file-of-root'), 'secret');
      await symlink(join(folder, 'file-of-root'), token);
    },
    'a pipe': (token) => run('mkfifo', [token]),
    'text with commands for the terminal': (token) => writeFile(token, 'secret\u001b]0;title\u0007\n'),
    'text of several lines': (token) => writeFile(token, 'secret\nsecret\n'),
    'a text that is too long for a token': (token) => writeFile(token, 'secret'.repeat(1_000)),
  };
  for (const [what, replace] of Object.entries(REPLACED)) {
    test(`contains no token if its file is ${what}`, async () => {
      await replace(join(folder, 'setup-token'));
      const output = await report();
      assert.ok(output.includes(`Dashboard     ${ADDRESS}\n`), output);
      assert.ok(!output.includes('secret'), output);
    });
  }

  test('fails for an address with commands for the terminal', async () => {
    await assert.rejects(report('http://127.0.0.1\u009b2J'), { code: 1, stdout: '' });
  });
});
