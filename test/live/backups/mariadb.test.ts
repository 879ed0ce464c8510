/** Backups of MariaDB on a real engine: a dump while the server is in use, and a restore with the same content. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Backup } from '@davit/api';
import { createdDatabase, done, inDatabase, pathOf, projectOf } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

const ROWS = `CREATE TABLE goods (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(50), picture BLOB);
  INSERT INTO goods (name, picture) SELECT CONCAT('good ', seq), UNHEX('00ff27') FROM seq_1_to_3000;
  CREATE TABLE \`odd \`\`names\` (a INT); CREATE VIEW cheap AS SELECT * FROM goods WHERE id < 10;
  CREATE TRIGGER upper_name BEFORE INSERT ON goods FOR EACH ROW SET NEW.name = UPPER(NEW.name);`;

/** Views that the backup account can and cannot read, of which the last ones are invalid. */
const VIEWS = `CREATE TABLE goods (id INT); INSERT INTO goods VALUES (1), (2); CREATE TABLE gone (id INT);
  CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN 2 * n;
  CREATE VIEW cheap AS SELECT * FROM goods WHERE id < 2;
  CREATE VIEW doubled AS SELECT twice(id) AS id, 'it''s ü' AS note FROM goods;
  CREATE SQL SECURITY INVOKER VIEW \`a doubled\` AS SELECT id FROM doubled;
  CREATE VIEW \`it's \`\`odd\\\` AS SELECT * FROM gone; CREATE VIEW onto AS SELECT * FROM \`it's \`\`odd\\\`;
  DROP TABLE gone;`;

describe('MariaDB backups', () => {
  it('restore rows, views and triggers as a new database and in place', inLong, async () => {
    await using harness = await LiveHarness.create();
    const project = await projectOf(harness);
    const main = await createdDatabase(harness, { project, name: 'main', engine: 'mariadb' });
    const sql = (reference: string, text: string) =>
      inDatabase(harness, reference, ['mariadb', '--defaults-extra-file=/etc/davit/client.cnf', '-NB', 'main'], text);
    await sql(main, ROWS);
    const query = { wait: 'true' } as const;

    await done(harness.client.backUpDatabase({ params: pathOf(main), query, body: {} }));
    const [{ id }] = (await harness.client.listDatabaseBackups({ params: pathOf(main) })) as [Backup];
    const params = { backup: String(id) };
    await done(harness.client.verifyBackup({ params, query }));
    await done(harness.client.restoreBackup({ params, query, body: { into: `${project}/production/copy` } }));
    await sql(main, 'DROP TABLE goods;');
    await done(harness.client.restoreBackup({ params, query, body: { in_place: true, confirm: 'main' } }));

    for (const reference of [main, `${project}/production/copy`]) {
      assert.equal((await sql(reference, 'SELECT COUNT(*), MIN(HEX(picture)) FROM goods;')).trim(), '3000\t00FF27');
      const added = await sql(
        reference,
        "INSERT INTO goods (name) VALUES ('new'); SELECT name FROM goods WHERE id > 3000;",
      );
      assert.equal(added.trim(), 'NEW');
      assert.equal((await sql(reference, 'SELECT COUNT(*) FROM cheap;')).trim(), '9');
    }
  });

  it('contain all data despite invalid views and restore views with functions', inLong, async () => {
    await using harness = await LiveHarness.create();
    const project = await projectOf(harness);
    const main = await createdDatabase(harness, { project, name: 'main', engine: 'mariadb' });
    const sql = (reference: string, text: string) =>
      inDatabase(harness, reference, ['mariadb', '--defaults-extra-file=/etc/davit/client.cnf', '-NB', 'main'], text);
    await sql(main, VIEWS);
    const query = { wait: 'true' } as const;

    const taken = await done(harness.client.backUpDatabase({ params: pathOf(main), query, body: {} }));
    const [{ id }] = (await harness.client.listDatabaseBackups({ params: pathOf(main) })) as [Backup];
    const params = { backup: String(id) };
    await done(harness.client.verifyBackup({ params, query }));
    const into = `${project}/production/copy`;
    const restored = await done(harness.client.restoreBackup({ params, query, body: { into } }));

    const log = taken.log?.join('\n') ?? '';
    assert.match(log, /the backup contains only their definitions/);
    for (const name of ["it's `odd\\", 'onto', 'doubled', 'a doubled']) assert.ok(log.includes(name), log);
    assert.doesNotMatch(log, /cheap/);
    assert.equal((await sql(into, 'SELECT COUNT(*) FROM goods; SELECT COUNT(*) FROM cheap;')).trim(), '2\n1');
    assert.equal(
      (await sql(into, 'SELECT * FROM doubled; SELECT * FROM `a doubled`;')).trim(),
      "2\tit's ü\n4\tit's ü\n2\n4",
    );
    const warned = restored.log?.filter((line) => line.includes('could not be created')) ?? [];
    assert.equal(warned.length, 2, `${restored.log}`);
  });
});
