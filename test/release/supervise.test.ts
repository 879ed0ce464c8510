/** The supervisor starts the daemon with the rights of its user, and ends with it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { patience, until } from '@davit/testkit/waiting';

const SUPERVISE = join(import.meta.dirname, '../../packaging/davit-supervise');
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
/** User that runs the daemon. Every Debian has this user. */
const DAEMON_USER = 'nobody';
const UID = 65534;
const isRoot = process.getuid?.() === 0;

/** Prints its environment to the log, and runs until a signal ends it. */
const DAEMON = `#!/bin/sh
env
id -u
pwd
echo started
exec tail -f /dev/null
`;

describe('the supervisor of the daemon', { skip: isRoot ? false : 'needs root to change the user' }, () => {
  let place: string;
  let data: string;
  let log: string;
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'davit-supervise-'));
    await chmod(place, 0o755);
    data = join(place, 'data');
    log = join(data, 'davit.log');
    for (const folder of [data, join(place, 'bin')]) await mkdir(folder);
    await chown(data, UID, UID);
    await copyFile(SUPERVISE, join(place, 'bin/davit-supervise'));
    await writeFile(join(place, 'bin/davitd'), DAEMON, { mode: 0o755 });
    await writeFile(join(place, 'davit.env'), 'DAVIT_DOMAIN=example.org\n');
  });
  afterEach(async () => {
    if (child?.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    child = undefined;
    await rm(place, { recursive: true, force: true });
  });

  /** Starts the supervisor as the first process of its own namespace. All its processes end with it. */
  function supervise(env: Record<string, string> = {}, shellOptions: string[] = []): ChildProcess {
    const namespaces = ['--pid', '--fork', '--kill-child', '--mount-proc'];
    const program = ['sh', ...shellOptions, join(place, 'bin/davit-supervise')];
    const args = [DAEMON_USER, data, join(place, 'davit.env'), join(place, 'run/supervisor.pid')];
    const started = spawn('unshare', [...namespaces, ...program, ...args], {
      env: { PATH, ...env },
      stdio: 'ignore',
    });
    child = started;
    return started;
  }
  const startedLog = () =>
    until('the daemon has started', async () => {
      const text = await readFile(log, 'utf8').catch(() => '');
      return text.includes('started\n') && text;
    });

  test('does not write to the target of a link in the data directory', async () => {
    const target = join(place, 'file-of-root');
    await writeFile(target, 'unchanged', { mode: 0o600 });
    await symlink(target, log);

    supervise();
    await startedLog();

    assert.equal(await readFile(target, 'utf8'), 'unchanged');
    const found = await lstat(log);
    assert.deepEqual([found.isFile(), found.uid], [true, UID]);
  });

  test('replaces a log that belongs to root, so that the daemon can empty it', async () => {
    await writeFile(log, 'of an earlier version');

    supervise();
    await startedLog();

    assert.equal((await lstat(log)).uid, UID);
    assert.equal(await readFile(`${log}.1`, 'utf8'), 'of an earlier version');
  });

  test('passes the settings to the daemon, but not the environment of root', async () => {
    supervise({ SECRET_OF_ROOT: '1', NOTIFY_SOCKET: '/run/another' });
    const lines = (await startedLog()).split('\n');

    const expected = [`HOME=${data}`, `DAVIT_DATA_DIR=${data}`, 'DAVIT_DOMAIN=example.org', String(UID), '/'];
    for (const line of expected) assert.ok(lines.includes(line), `${line}: ${lines}`);
    const names = lines.filter((line) => line.includes('=')).map((line) => line.split('=')[0]);
    // The shell adds PWD.
    assert.deepEqual(new Set(names), new Set(['DAVIT_DATA_DIR', 'DAVIT_DOMAIN', 'HOME', 'PATH', 'PWD']));
  });

  test('ends the daemon and then itself after SIGTERM', async () => {
    const supervisor = supervise();
    await startedLog();

    const ended = exitOf(supervisor);
    process.kill(await firstChild(supervisor), 'SIGTERM');

    assert.equal(await ended, 0);
    await assert.rejects(lstat(join(place, 'run/supervisor.pid')), { code: 'ENOENT' });
  });

  test('ends if SIGTERM arrives just before it starts the daemon', async () => {
    /* The shell evaluates PS4 when it has expanded a command. The second command with a `pause` is the condition of the
       loop, which is still true. */
    const [first, sent] = [join(place, 'first'), join(place, 'sent')];
    const second = `[ -n "\${pause-}" ] && ! mkdir ${first} && mkdir ${sent}`;
    const PS4 = `$(if ${second}; then kill -TERM $$; fi 2>/dev/null)`;

    assert.equal(await exitOf(supervise({ PS4 }, ['-x'])), 0);

    await lstat(sent);
  });
});

/** Resolves with the exit code of a process. */
async function exitOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'exit', { signal: patience() })) as [number | null];
  return code;
}

/** Returns the process ID of the only child of a process. */
async function firstChild({ pid }: ChildProcess): Promise<number> {
  return Number(await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));
}
