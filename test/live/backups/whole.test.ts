/**
 * Completeness of backups: the tool of the database reports the same content for a database and for the database that
 * its backup was restored into.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Backup, DatabaseCredentials } from '@davit/api';
import { createdDatabase, done, inDatabase, PLATFORM, pathOf, projectOf, psql } from '../../support/live-database.ts';
import { LiveHarness } from '../../support/live-harness.ts';
import { ODD_MARIADB, ODD_POSTGRES, ODD_PROGRAMS } from '../../support/odd-contents.ts';
import { inLong } from '../../support/tiers.ts';

const query = { wait: 'true' } as const;
/** More large objects than one transaction has locks for. */
const LARGE_OBJECTS = 15_000;
const LOGIN = '--defaults-extra-file=/etc/davit/client.cnf';

/**
 * Backs up a database and restores the backup into another database.
 * @returns reference of the other database
 */
async function restored(harness: LiveHarness, reference: string): Promise<string> {
  await done(harness.client.backUpDatabase({ params: pathOf(reference), query, body: {} }));
  const [{ id }] = (await harness.client.listDatabaseBackups({ params: pathOf(reference) })) as [Backup];
  const into = `${reference}-again`;
  await done(harness.client.restoreBackup({ params: { backup: String(id) }, query, body: { into } }));
  return into;
}

describe('a restored database', () => {
  it('has the same dump as the original PostgreSQL database with odd names', inLong, async () => {
    await using harness = await LiveHarness.create();
    const project = await projectOf(harness);
    const main = await createdDatabase(harness, { project, name: 'main', engine: 'postgres' });
    await psql(harness, main, 'main', ODD_POSTGRES);
    const many = `SELECT count(lo_from_bytea(0, '\\x00ff')) FROM generate_series(1, ${LARGE_OBJECTS});`;
    await psql(harness, main, 'main', `SET ROLE davit_owner; ${many}`);

    const again = await restored(harness, main);

    const command = ['pg_dump', '--username=davit_admin', '--dbname=main', '--create'];
    const dumped = (of: string) => inDatabase(harness, of, command, '', PLATFORM);
    const text = async (of: string) => (await dumped(of)).replaceAll(/^\\(un)?restrict .*$/gm, '');
    assert.equal(await text(again), await text(main));
  });

  it('has the same dump as the original MariaDB database, with views that run', inLong, async () => {
    await using harness = await LiveHarness.create();
    const project = await projectOf(harness);
    const main = await createdDatabase(harness, { project, name: 'main', engine: 'mariadb' });
    const utf8 = '--default-character-set=utf8mb4';
    const asApp = async (of: string, said: string) => {
      const { username, password } = (await harness.client.getDatabaseCredentials({
        params: pathOf(of),
      })) as DatabaseCredentials;
      const command = ['mariadb', `-u${username}`, `-p${password}`, '-h127.0.0.1', '-NB', 'main'];
      return inDatabase(harness, of, command, said);
    };
    await inDatabase(harness, main, ['mariadb', LOGIN, '-NB', utf8, 'main'], ODD_MARIADB);
    await asApp(main, ODD_PROGRAMS);
    await done(harness.client.rotateDatabasePassword({ params: pathOf(main), query }));

    const again = await restored(harness, main);

    const all = ['--routines', '--events', '--triggers', '--hex-blob', '--dump-history', '--skip-comments', utf8];
    const text = (of: string) => inDatabase(harness, of, ['mariadb-dump', LOGIN, ...all, '--databases', 'main']);
    // Programs run with the rights of the login of their own database.
    const definedBy = (login: string, said: string) => said.replaceAll(`DEFINER=\`${login}\`@`, 'DEFINER=`app`@');
    assert.match(await text(main), /DEFINER=`main`@`%`/);
    assert.equal(definedBy('main_2', await text(again)), definedBy('main', await text(main)));
    const ran = await asApp(again, 'SELECT c FROM counted; CALL add_one(); SELECT COUNT(*), twice(4) FROM gen;');
    assert.equal(ran.trim(), '9\n501\t8');
  });

  it('has the keys of all types and all databases of the original Redis', inLong, async () => {
    await using harness = await LiveHarness.create();
    const project = await projectOf(harness);
    const main = await createdDatabase(harness, { project, name: 'main', engine: 'redis' });
    const redis = async (of: string, ...lines: string[]) => {
      const { password } = (await harness.client.getDatabaseCredentials({ params: pathOf(of) })) as DatabaseCredentials;
      const said = [`AUTH default ${password}`, ...lines, ''].join('\n');
      return (await inDatabase(harness, of, ['redis-cli', '--no-auth-warning'], said)).trim().split(/\r?\n/).slice(1);
    };
    const ODD = String.raw`"bin\x00\xff key"`;
    await redis(
      main,
      `SET ${ODD} "\\x00\\xff\\r\\n"`,
      'LPUSH list x y z',
      'SELECT 3',
      'SET ttl 1 EX 1000',
      'SELECT 15',
    );
    await redis(main, 'SELECT 15', 'XADD stream 1-1 f v', 'XGROUP CREATE stream team 0', 'ZADD sorted 1.5 a 2 b');
    await redis(main, 'SELECT 15', 'HSET hash f v', 'SADD set 1 2 x', 'PFADD loglog a b', 'SETBIT bits 7 1');
    const library = String.raw`"#!lua name=lib\nredis.register_function('one', function() return 1 end)"`;
    await redis(main, `FUNCTION LOAD ${library}`, `EVAL "for i=1,5000 do redis.call('SET','k'..i,i) end return 1" 0`);

    const again = await restored(harness, main);

    const kept = [`DUMP ${ODD}`, 'DUMP list', 'DBSIZE', 'FCALL one 0', 'SELECT 3', 'GET ttl', 'SELECT 15'];
    const kinds = ['stream', 'sorted', 'hash', 'loglog', 'bits'].map((key) => `DUMP ${key}`);
    // A set has no order, so its dump has the order in the memory of the process.
    const contentOf = (of: string) => redis(of, ...kept, ...kinds, 'SORT set ALPHA', 'XINFO GROUPS stream');
    assert.deepEqual(await contentOf(again), await contentOf(main));
    const [, left = 0] = await redis(again, 'SELECT 3', 'TTL ttl');
    assert.ok(Number(left) > 0 && Number(left) <= 1_000, String(left));
    assert.doesNotMatch(await inDatabase(harness, main, ['ls', '-a', '/data']), /\.davit-/);
  });

  const QUEUE = 'CREATE TABLE queue (n INT); CREATE TABLE paid (a INT, b INT); INSERT INTO queue VALUES (0);';
  /** A queue whose length is the same before and after, and two tables whose rows complement each other. */
  const TURN = `BEGIN; INSERT INTO queue VALUES (1), (2), (3); INSERT INTO paid VALUES (1, -1); COMMIT;
    DELETE FROM queue WHERE n > 0;\n`;
  const WRITERS = {
    postgres: {
      ...{ command: ['psql', '-XqAt', '-U', 'davit_admin', '-d', 'main'], as: PLATFORM },
      ...{ made: QUEUE, turn: TURN },
    },
    mariadb: { command: ['mariadb', LOGIN, '-NB', 'main'], as: undefined, made: QUEUE, turn: TURN },
    redis: {
      ...{ command: ['redis-cli', '--no-auth-warning'], as: undefined },
      ...{ made: 'SET stays 1', turn: 'MSET a 1 b 1\nDEL a b\n' },
    },
  } as const;
  for (const engine of ['postgres', 'mariadb', 'redis'] as const)
    it(`passes verification on ${engine} although data changed during the backup`, inLong, async () => {
      await using harness = await LiveHarness.create();
      const project = await projectOf(harness);
      const main = await createdDatabase(harness, { project, name: 'main', engine });
      const { password } = (await harness.client.getDatabaseCredentials({
        params: pathOf(main),
      })) as DatabaseCredentials;
      const { command, as, made, turn } = WRITERS[engine];
      const login = engine === 'redis' ? `AUTH default ${password}\n` : '';
      await inDatabase(harness, main, [...command], `${login}${made}\n`, as);
      let isDone = false;
      const writing = (async () => {
        while (!isDone) await inDatabase(harness, main, [...command], login + turn.repeat(300), as);
      })();

      for (let n = 0; n < 3; n += 1)
        await done(harness.client.backUpDatabase({ params: pathOf(main), query, body: {} }));
      isDone = true;
      await writing;

      const backups = (await harness.client.listDatabaseBackups({ params: pathOf(main) })) as Backup[];
      assert.equal(backups.length, 3);
      for (const { id } of backups) await done(harness.client.verifyBackup({ params: { backup: String(id) }, query }));
    });
});
