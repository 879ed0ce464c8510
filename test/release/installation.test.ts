/** The installer keeps the files of other users, other versions and interrupted runs. */
import assert from 'node:assert/strict';
import { lstat, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { Installation } from '../support/installation.ts';

const isRoot = process.getuid?.() === 0;
const FOREIGN_UID = 64_999;

describe('an installation', { skip: isRoot ? false : 'needs root for a mount namespace' }, () => {
  test('runs the daemon as the owner of a data directory behind a symbolic link', async () => {
    await using machine = await Installation.create();
    const real = machine.path('disk');
    await machine.instance(real, Installation.UID);
    await symlink(real, machine.data);

    const { code, output } = await machine.install(await machine.release('9.9.9'));

    assert.equal(code, 0, output);
    assert.ok(output.includes(`davit-supervise davit ${machine.data} `), output);
    assert.equal((await stat(real)).uid, Installation.UID);
  });

  test('refuses a data directory whose owner has no name, and changes nothing', async () => {
    await using machine = await Installation.create();
    await machine.instance(machine.data, FOREIGN_UID);

    const { code, output } = await machine.install(await machine.release('9.9.9'));

    assert.deepEqual([code, output.includes(machine.data)], [1, true], output);
    assert.equal((await stat(machine.data)).uid, FOREIGN_UID);
    await assert.rejects(lstat(machine.path('opt/davit/9.9.9')), { code: 'ENOENT' });
  });

  test('does not print the target of a link that the daemon left as its log', async () => {
    await using machine = await Installation.create();
    const secret = machine.path('secret');
    await writeFile(secret, 'text of root', { mode: 0o600 });
    await machine.replaceProgram('sleep', 'exit 0');
    const davitd = `ln -sfn ${secret} "$DAVIT_DATA_DIR/davit.log"; exit 1`;

    const { code, output } = await machine.install(await machine.release('9.9.9', { davitd, ready: 'exit 1' }));

    assert.deepEqual([code, output.includes('text of root')], [1, false], output);
    assert.equal(await readFile(secret, 'utf8'), 'text of root');
  });
});
