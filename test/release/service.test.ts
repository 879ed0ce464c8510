/** The systemd unit is valid and restricts the daemon, and the daemon reports its readiness. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { until } from '@davit/testkit/waiting';
import { startInstance } from '../support/instance.ts';
import { inLong } from '../support/tiers.ts';

const run = promisify(execFile);
const UNIT = join(import.meta.dirname, '../../packaging/davit.service');
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
