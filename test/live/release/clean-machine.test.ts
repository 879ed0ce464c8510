/** Installation, upgrade, repetition and removal with the installer on a minimal Debian without Docker and Node. */
import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CleanMachine } from '../../support/clean-machine.ts';
import { type BuiltRelease, buildRelease, makeSigningKey } from '../../support/release-build.ts';
import { inLong } from '../../support/tiers.ts';

/** Exit code of a shell whose command was ended by SIGKILL. */
const KILLED = 128 + 9;

/** Runs the installer and kills it when the condition in `$0` is true. */
const KILL = `
touch /tmp/begun
sh /media/install.sh --from /media &
until eval "$0"; do kill -0 $! || exit 1; sleep 0.01; done
kill -KILL $!
wait $!
`;

/** Prints the user ID of each process that has the file `$0` open. */
const USERS_OF = `
for process in /proc/[0-9]*; do
  readlink "$process"/fd/* 2>/dev/null | grep -qxF "$0" || continue
  sed -n 's/^Uid:[[:space:]]*\\([0-9]*\\).*/\\1/p' "$process/status"
done
`;

/** Shell conditions by the description of the moment when they become true. */
const INTERRUPTIONS = {
  'before it unpacked the archive': 'ls -d /opt/davit/.install-* >/dev/null 2>&1',
  'while it unpacked the archive': 'ls /opt/davit/.install-*/davit-*/runtime/node >/dev/null 2>&1',
  'after it replaced the folder of the version': 'ls -d /opt/davit/.old-* >/dev/null 2>&1',
  'while the new daemon started': '[ /run/davit/supervisor.pid -nt /tmp/begun ]',
};

describe('the installer on a clean machine', inLong, () => {
  let release: BuiltRelease;
  let machine: CleanMachine;
  const install = (...args: string[]) => machine.run(['sh', '/media/install.sh', '--from', '/media', ...args]);
  const ready = () =>
    machine.run(['/opt/davit/current/runtime/node', '/opt/davit/current/share/ready.mjs', '/var/lib/davit']);

  before(async () => {
    machine = await CleanMachine.create();
    const keys = join(machine.root, 'tmp/keys');
    await mkdir(keys);
    release = await buildRelease(['--key', await makeSigningKey(keys)]);
    for (const name of await readdir(release.folder))
      await copyFile(join(release.folder, name), join(machine.root, 'media', name));
  });
  after(async () => {
    await machine?.[Symbol.asyncDispose]();
    await release?.[Symbol.asyncDispose]();
  });

  test('installs Docker and Davit from one archive, and prints the address and the token', async () => {
    const { code, output } = await install('--key', '/media/davit-release.gpg');
    assert.equal(code, 0, output);
    assert.match(output, /✓ signature/);
    assert.match(output, /Dashboard {5}http:\/\/127\.0\.0\.1:3000\/claim#token=\w+/);
    assert.match(output, /Setup token {3}\w+/);
  });

  test('runs the daemon as the user davit, whose data no other user can read', async () => {
    const { output } = await machine.run(['stat', '-c', '%U %a', '/var/lib/davit']);
    assert.equal(output, 'davit 700\n');
    // Only the daemon has the lock of the data directory open.
    const daemon = await machine.run(['sh', '-c', USERS_OF, '/var/lib/davit/lock.db']);
    const davit = await machine.run(['id', '-u', 'davit']);
    assert.deepEqual(daemon, davit);
    assert.notEqual(davit.output, '0\n');
    const cli = await machine.run(['davit', 'project', 'list', '--local', '--json']);
    assert.deepEqual([cli.code, cli.output.trim()], [0, '[]'], cli.output);
  });

  test('upgrades at a second run, with the settings and the key of the first', async () => {
    const before = await machine.run(['cat', '/var/lib/davit/instance-id']);
    const { code, output } = await install();
    assert.equal(code, 0, output);
    assert.match(output, /✓ signature/);
    assert.deepEqual(await machine.run(['cat', '/var/lib/davit/instance-id']), before);
  });

  for (const [when, condition] of Object.entries(INTERRUPTIONS)) {
    test(`can be repeated after it was killed ${when}`, async () => {
      const stopped = await machine.run(['sh', '-c', KILL, condition]);
      assert.equal(stopped.code, KILLED, stopped.output);
      const { code, output } = await install();
      assert.equal(code, 0, output);
      const { output: left } = await machine.run(['find', '/opt/davit', '-maxdepth', '1', '-name', '.*']);
      assert.equal(left, '');
    });
  }

  test('removes the programs and keeps the data', async () => {
    const { code, output } = await machine.run(['sh', '/opt/davit/current/install.sh', '--uninstall']);
    assert.equal(code, 0, output);
    assert.notEqual((await ready()).code, 0);
    assert.notEqual((await machine.run(['ls', '/opt/davit'])).code, 0);
    assert.equal((await machine.run(['test', '-e', '/var/lib/davit/davit.db'])).code, 0);
  });
});
