/** Shells in databases on a real engine, with the real command-line program. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { DatabaseEngine } from '@davit/api';
import { DavitFolder, type Ended } from '../../support/davit-command.ts';
import { createdDatabase, pathOf, projectOf } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

/** Statement, and the output of the client program without a terminal. */
const STATEMENTS: { engine: DatabaseEngine; input: string; stdout: RegExp }[] = [
  { engine: 'postgres', input: 'select 6 * 7 as n;\n', stdout: /\n +42\n/ },
  { engine: 'mariadb', input: 'select 6 * 7 as n;\n', stdout: /^n\n42\n$/ },
  { engine: 'redis', input: 'SET n 42\nGET n\n', stdout: /^OK\n42\n$/ },
];

/** Programs that a user of `psql` can start to get more permissions, and what each must print. */
const ATTACKS: { statement: string; said: RegExp }[] = [
  { statement: String.raw`\! id -u; id -g`, said: /^65500\n65500\n/m },
  {
    statement: String.raw`\! cat /etc/davit/pgpass /etc/davit/pg_hba.conf`,
    said: /Permission denied[\s\S]*Permission denied/,
  },
  { statement: String.raw`\! cat /var/lib/postgresql/data/pgdata/PG_VERSION`, said: /Permission denied/ },
  { statement: String.raw`\! cat /proc/1/environ`, said: /Permission denied/ },
  {
    statement: String.raw`\! env -u PGHOST -u PGPASSWORD PGUSER=davit_admin psql -X -w -h /run/postgresql -d template1 -c 'select 1'`,
    said: /authentication failed|could not look up local user/i,
  },
  { statement: 'select rolsuper from pg_roles where rolname = session_user;', said: /\n +f\n/ },
];

describe('davit database shell', () => {
  let harness: LiveHarness;
  let folder: DavitFolder;
  let project: string;
  before(async () => {
    harness = await LiveHarness.create();
    folder = await DavitFolder.make(harness.instance);
    project = await projectOf(harness);
  });
  after(async () => {
    await folder?.[Symbol.asyncDispose]();
    await harness?.[Symbol.asyncDispose]();
  });

  const shell = (reference: string, input: string): Promise<Ended> => {
    const running = folder.start(['database', 'shell', reference]);
    running.child.stdin.end(input);
    return running.ended;
  };

  for (const { engine, input, stdout } of STATEMENTS) {
    it(`runs statements of a pipe in ${engine}`, engine === 'redis' ? inLong : {}, async () => {
      const reference = await createdDatabase(harness, { project, name: `${engine}-pipe`, engine });

      const ran = await shell(reference, input);

      assert.deepEqual([ran.code, ran.stderr], [0, '']);
      assert.match(ran.stdout, stdout);
    });
  }

  describe('of PostgreSQL', () => {
    let reference: string;
    before(async () => {
      reference = await createdDatabase(harness, { project, name: 'words', engine: 'postgres' });
    });

    it('ends with the exit code of psql, and passes its errors on', async () => {
      const ran = await shell(reference, '\\set ON_ERROR_STOP on\nselect 1/0;\nselect 2;\n');

      assert.equal(ran.code, 3);
      assert.match(ran.stderr, /ERROR: +division by zero/);
      assert.doesNotMatch(ran.stdout, /2/);
    });

    it('passes large input and output on without changing a byte', async () => {
      const words = 'a word and another\n'.repeat(500_000);

      const filled = await shell(reference, `create table kept (word text);\ncopy kept from stdin;\n${words}\\.\n`);
      const read = await shell(reference, 'copy kept to stdout;\n');

      assert.deepEqual([filled.code, filled.stderr], [0, '']);
      assert.equal(read.stdout, words);
    });

    it('opens a terminal with size, Ctrl-C and exit code', async () => {
      const terminal = folder.atTerminal(['database', 'shell', reference]);
      await terminal.shows(/words=> /);

      terminal.type('\\! stty size\r');
      await terminal.shows(/24 80\s+\S*words=> /);
      // The notice shows that the statement runs, so Ctrl-C cannot arrive before it.
      terminal.type("do $$ begin raise notice '%', 'be' || 'gun'; perform pg_sleep(1000); end $$;\r");
      await terminal.shows(/NOTICE: +begun/);
      terminal.type('\u0003');
      await terminal.shows(/canceling statement due to user request[\s\S]*words=> /);
      terminal.type('\\q\r');

      assert.equal((await terminal.ended).code, 0);
    });

    it('shows no password in the arguments of a process', async () => {
      const terminal = folder.atTerminal(['database', 'shell', reference]);
      await terminal.shows(/words=> /);
      const { password } = await harness.client.getDatabaseCredentials({ params: pathOf(reference) });

      const ps = spawn('ps', ['-eo', 'args']);
      const [listed] = await Promise.all([text(ps.stdout), once(ps, 'close')]);

      assert.match(listed, /psql -X -w/);
      assert.ok(!listed.includes(password));
      terminal.type('\\q\r');
      await terminal.ended;
    });

    for (const { statement, said } of ATTACKS) {
      it(`gives no more permissions through: ${statement}`, async () => {
        const { stdout, stderr } = await shell(reference, `${statement}\n`);

        assert.match(`${stdout}${stderr}`, said);
      });
    }
  });
});
