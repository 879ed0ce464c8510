/** Tests the data that is stored with a MariaDB dump, such as the numbers of rows. */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { patience } from '@davit/testkit/waiting';
import type { Engine } from '../../../adapters/engine/engine.ts';
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

interface Ran {
  command: string[];
  said: string;
}

/** Returns a simulated server that records all statements and responds with these texts. */
function served(answers: Record<string, string>): { of: DumpedDatabase; ran: Ran[] } {
  const ran: Ran[] = [];
  const engine: Pick<Engine, 'execute'> = {
    async execute(_id, { command }, { stdin }) {
      const [name = ''] = command;
      const said = Buffer.concat(stdin === undefined ? [] : await Array.fromAsync(stdin)).toString();
      ran.push({ command, said });
      const [, out = ''] = Object.entries(answers).find(([word]) => `${name} ${said}`.includes(word)) ?? [];
      return { stdout: Readable.from([Buffer.from(out)]), exited: Promise.resolve({ exitCode: 0, stderrTail: '' }) };
    },
  };
  const of = {
    engine,
    container: 'one',
    adminPassword: 'secret',
    login: { username: 'app', password: 'word' },
    database: 'my_shop',
  };
  return { of: { ...of, signal: patience() }, ran };
}

const ANSWERS = {
  'mariadb-dump': DUMP,
  schemata: 'latin1\tlatin1_german1_ci\n',
  'SELECT table_name, 0': 'goods\t0\nodd `names\nü\t0\nnone\t0\n',
};

describe('a MariaDB dump', () => {
  for (const bytes of [1, 7, 4_096])
    it(`counts its rows while streaming in pieces of ${bytes} bytes`, async () => {
      const whole = Buffer.from(DUMP);
      const pieces = Array.from({ length: Math.ceil(whole.length / bytes) }, (_, n) =>
        whole.subarray(n * bytes, (n + 1) * bytes),
      );
      const rows = new RowCounter();

      const passed = await Array.fromAsync(rows.through(Readable.from(pieces)));

      assert.deepEqual(Object.fromEntries(rows.counts), COUNTS);
      assert.ok(Buffer.concat(passed).equals(whole));
    });

  for (const [longest, isGood] of [
    [36, true],
    [35, false],
  ] as const)
    it(`with a statement of 36 bytes is ${isGood ? 'complete' : 'refused'} if a server accepts ${longest}`, async () => {
      const rows = new RowCounter(longest + 1_024);
      const dump = "/* a */;\nINSERT INTO `pictures` VALUES ('x;');\n";

      const read = Array.fromAsync(
        rows.through(Readable.from([Buffer.from(dump.slice(0, 20)), Buffer.from(dump.slice(20))])),
      );

      if (isGood) await read;
      else await assert.rejects(read, { name: 'ToolFailed', message: /the table “pictures” has .* 36 bytes/ });
    });

  it('accepts values up to the maximum packet size during dump and restore', async () => {
    const { of, ran } = served(ANSWERS);
    const { head, bytes } = await mariadbTool.dump(of);
    await Array.fromAsync(bytes);
    const { of: into, ran: restored } = served({});

    await mariadbTool.restore(into, Readable.from([]), head);

    const large = '--max-allowed-packet=1073741824';
    assert.ok(ran.find(({ command: [name] }) => name === 'mariadb-dump')?.command.includes(large));
    const loading = restored.findIndex(({ command }) => command.includes(large));
    const set = (value: string) =>
      restored.findIndex(({ said }) => said.includes(`SET GLOBAL max_allowed_packet = ${value};`));
    assert.ok(set('1073741824') >= 0 && set('1073741824') < loading, 'the server accepts them before');
    assert.ok(set('DEFAULT') > loading, 'the server has its default again');
  });

  it('reports the number of rows in the dump itself', async () => {
    const { of } = served(ANSWERS);
    const { bytes, facts } = await mariadbTool.dump(of);

    await Array.fromAsync(bytes);

    assert.deepEqual((await facts()).counts, COUNTS);
  });

  it('is refused if an existing table is missing from the dump', async () => {
    const { of } = served({ ...ANSWERS, 'SELECT table_name, 0': 'goods\t0\norders\t0\n' });
    const { bytes, facts } = await mariadbTool.dump(of);

    await Array.fromAsync(bytes);

    await assert.rejects(facts(), /the dump does not contain the table “orders”/);
  });

  it('omits unreadable views, and a restore creates the omitted views', async () => {
    const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase();
    const name = "it's `odd";
    const { of, ran } = served({
      ...ANSWERS,
      "table_type = 'VIEW'": `${hex(name)}\n`,
      'SHOW FIELDS': `${hex(name)}\t1\n`,
      'information_schema.views': `${hex(name)}\t${hex('CREATE VIEW odd')}\tutf8mb4_bin\n`,
    });
    const { head, bytes, facts } = await mariadbTool.dump(of);
    await Array.fromAsync(bytes);
    const { of: into, ran: restored } = served({});

    await mariadbTool.restore(into, Readable.from([]), head);

    const dumped = ran.find(({ command: [program] }) => program === 'mariadb-dump')?.command ?? [];
    assert.deepEqual(dumped.slice(-2), ["--ignore-table=my_shop.it's `odd", 'my_shop']);
    assert.deepEqual((await facts()).views, [{ name, create: 'CREATE VIEW odd', collation: 'utf8mb4_bin' }]);
    const created = restored.find(({ said }) => said.includes('CREATE VIEW odd'));
    assert.match(created?.command.join(' ') ?? '', /^mariadb --defaults-extra-file=\/tmp\/davit-.* --binary-mode/);
  });

  it('is read by a read-only account and restored with the app’s login', async () => {
    const { of, ran } = served(ANSWERS);
    const { head, bytes } = await mariadbTool.dump(of);
    await Array.fromAsync(bytes);
    const { of: into, ran: restored } = served({});

    await mariadbTool.restore(into, Readable.from([]), head);

    const dumped = ran.find(({ command: [name] }) => name === 'mariadb-dump')?.command.join(' ') ?? '';
    assert.match(dumped, /--defaults-extra-file=\/tmp\/davit-/);
    assert.match(ran.find(({ said }) => said.startsWith('[client]'))?.said ?? '', /user="davit_reader"/);
    const [collation, , login, restore] = restored;
    assert.equal(
      collation?.said.trim(),
      'SET SESSION lock_wait_timeout = 60;\nSET GLOBAL max_allowed_packet = 1073741824;\nALTER DATABASE `my_shop` CHARACTER SET latin1 COLLATE latin1_german1_ci;',
    );
    assert.match(login?.said ?? '', /user="app"\npassword="word"/);
    assert.match(restore?.command.join(' ') ?? '', /^mariadb --defaults-extra-file=\/tmp\/davit-/);
    assert.ok(restored.some(({ command: [name] }) => name === 'rm'));
    assert.ok(!JSON.stringify([...ran, ...restored].map(({ command }) => command)).includes('word'));
  });
});
