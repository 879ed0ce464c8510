/** Commands that start backups print the IDs of the backups. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { database, databaseParams } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

describe('the ID of a new backup', () => {
  const on = withDavit();

  it('is printed by davit backup take, and by a restore that replaces data', async () => {
    const made = await database(on.daemon);
    const { reference } = made;
    const params = databaseParams(made);

    const taken = await on.davit.run(['backup', 'take', reference]);
    const [first] = await on.daemon.client.listDatabaseBackups({ params });
    const restored = await on.davit.run(['backup', 'restore', String(first?.id), '--in-place', '--yes']);
    const [safety] = await on.daemon.client.listDatabaseBackups({ params });

    assert.equal(taken.stdout, `Backed up database ${reference}. The ID of the backup is ${first?.id}.\n`);
    assert.equal(safety?.origin, 'safety');
    assert.match(restored.stdout, new RegExp(`The previous data is in backup ${safety?.id}\\.`), restored.stderr);
  });

  it('is omitted by a restore into a new database', async () => {
    const { reference } = await database(on.daemon);
    await on.davit.run(['backup', 'take', reference]);
    const [backup] = await on.daemon.client.listBackups({ query: { limit: '1' } });

    const { code, stdout } = await on.davit.run([
      ...['backup', 'restore', String(backup?.id), '--into', `${reference}-copy`],
    ]);

    assert.equal(code, 0);
    assert.equal(stdout, `Restored backup ${backup?.id} into ${reference}-copy.\n`);
  });
});
