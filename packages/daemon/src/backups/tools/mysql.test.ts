/** What a dump of MariaDB takes along beside its bytes, and how many rows it has. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import type { Engine } from '../../engine/engine.ts';
import { mariadbTool } from './mysql.ts';
import { RowCounter } from './mysql-rows.ts';
import type { DumpedDatabase } from './tool.ts';

const DUMP = String.raw`/*!40101 SET NAMES utf8mb4 */;
CREATE TABLE ${'`goods`'} (
  ${'`name`'} varchar(50) DEFAULT 'INSERT INTO (1),(2)' COMMENT 'a\nINSERT INTO'
) ENGINE=InnoDB;
INSERT INTO ${'`goods`'} VALUES
('it\'s ),(\\'),
(''),
(NULL);
INSERT INTO ${'`goods`'} VALUES ('(;'),(0x00FF2C28);
CREATE TABLE ${'`odd ``names\nü`'} (a int);
INSERT INTO ${'`odd ``names\nü`'} (${'`a`, `VALUES (x)`'}) VALUES (1,ST_GeomFromText('POINT(1 1)')),(2,'');
CREATE TABLE ${'`none`'} (a int);
DELIMITER ;;
CREATE TRIGGER t BEFORE INSERT ON goods FOR EACH ROW BEGIN
INSERT INTO ${'`goods`'} VALUES (1);
END ;;
DELIMITER ;
INSERT INTO ${'`none`'} VALUES (1);
`
  .replace('\\nü', '\nü')
  .replace('\\nü', '\nü');
const COUNTS = { goods: 5, 'odd `names\nü': 2, none: 1 };

/** What a server answers to a statement with this word in it, and what it was told. */
function served(answers: Record<string, string>): { of: DumpedDatabase; told: string[] } {
  const told: string[] = [];
  const engine: Pick<Engine, 'execute'> = {
    async execute(_id, { command: [name = ''] }, { stdin }) {
      const said = Buffer.concat(stdin === undefined ? [] : await Array.fromAsync(stdin)).toString();
      told.push(said);
      const [, out = ''] = Object.entries(answers).find(([word]) => `${name} ${said}`.includes(word)) ?? [];
      return { stdout: Readable.from([Buffer.from(out)]), exited: Promise.resolve({ exitCode: 0, stderrTail: '' }) };
    },
  };
  const of = { engine, container: 'one', adminPassword: 'secret', database: 'my_shop' };
  return { of: { ...of, signal: AbortSignal.timeout(10_000) }, told };
}

const ANSWERS = {
  'mariadb-dump': DUMP,
  schemata: 'latin1\tlatin1_german1_ci\n',
  'SELECT definer': "app@%\t0\nit's@odd@10.0.0.1\t0\n",
  'SELECT table_name, 0': 'goods\t0\nodd `names\nü\t0\nnone\t0\n',
};

describe('a dump of MariaDB', () => {
  for (const bytes of [1, 7, 4_096])
    it(`has its rows counted as it passes by in pieces of ${bytes}`, async () => {
      const whole = Buffer.from(DUMP);
      const pieces = Array.from({ length: Math.ceil(whole.length / bytes) }, (_, n) =>
        whole.subarray(n * bytes, (n + 1) * bytes),
      );
      const rows = new RowCounter();

      const passed = await Array.fromAsync(rows.through(Readable.from(pieces)));

      assert.deepEqual(Object.fromEntries(rows.counts), COUNTS);
      assert.ok(Buffer.concat(passed).equals(whole));
    });

  it('says how many rows it has, and not how many there were before or after', async () => {
    const { of } = served(ANSWERS);
    const { bytes, facts } = await mariadbTool.dump(of);

    await Array.fromAsync(bytes);

    assert.deepEqual((await facts()).counts, COUNTS);
  });

  it('is none without a table that was there all the time', async () => {
    const { of } = served({ ...ANSWERS, 'SELECT table_name, 0': 'goods\t0\norders\t0\n' });
    const { bytes, facts } = await mariadbTool.dump(of);

    await Array.fromAsync(bytes);

    await assert.rejects(facts(), /«orders» is not in what the tool wrote/);
  });

  it('is read in where those are in whose name its views and triggers run, whom nobody gets in as', async () => {
    const { of } = served(ANSWERS);
    const { head } = await mariadbTool.dump(of);
    const { of: into, told } = served({});

    await mariadbTool.restore(into, Readable.from([]), head);

    assert.deepEqual((told[0] ?? '').trim().split('\n'), [
      'ALTER DATABASE `my_shop` CHARACTER SET latin1 COLLATE latin1_german1_ci;',
      "CREATE USER IF NOT EXISTS 'app'@'%' ACCOUNT LOCK;",
      "GRANT ALL PRIVILEGES ON `my\\_shop`.* TO 'app'@'%';",
      "CREATE USER IF NOT EXISTS 'it''s@odd'@'10.0.0.1' ACCOUNT LOCK;",
      "GRANT ALL PRIVILEGES ON `my\\_shop`.* TO 'it''s@odd'@'10.0.0.1';",
    ]);
  });
});
