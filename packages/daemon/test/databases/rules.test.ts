/** Tests the rights of logins on servers that an earlier version set up, and the rights that a setting grants. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it, test } from 'node:test';
import { DatabaseCreate, type DatabasePatch, DavitError } from '@davit/api';
import { openDatabasePassword } from '../../src/app-spec/database-access.ts';
import { type DatabaseRow, databaseById, setDatabase } from '../../src/db/tables/managed-database.ts';
import { databasePasswordsTask } from '../../src/reconcilers/database-passwords.ts';
import { backUpDatabase } from '../../src/resources/backups/actions.ts';
import { patchDatabase } from '../../src/resources/databases/change.ts';
import { createDatabase } from '../../src/resources/databases/create.ts';
import { scramVerifier } from '../../src/resources/databases/dialects/scram.ts';
import { rotatePassword } from '../../src/resources/databases/login.ts';
import { RULES, RULES_DUE, renewRules } from '../../src/resources/databases/rules.ts';
import { main, withDatabase } from '../support/database-setup.ts';
import { isHeld } from '../support/held.ts';
import { TaskHarness } from '../support/task-harness.ts';

interface Ran {
  program: string;
  command: readonly string[];
  user: string | null;
  said: string;
}

/** Returns an environment with one database, and the commands that run in its container from then on. */
async function made(
  engine: string,
): Promise<{ world: TaskHarness; ran: Ran[]; answer: { to?: (said: string) => string } }> {
  const harness = await TaskHarness.make();
  const input = DatabaseCreate.parse({ project: 'shop', name: 'db', engine });
  const { error } = await harness.ended(await createDatabase(harness.core, harness.ctx, input));
  assert.equal(error, null);
  const ran: Ran[] = [];
  const answer: { to?: (said: string) => string } = {};
  for (const program of ['psql', 'mariadb', 'mysql', 'mongosh', 'redis-cli', 'tee', 'sed']) {
    harness.engine.controls.program(program, async ({ command, user, stdin, write }) => {
      const said = Buffer.concat(await Array.fromAsync(stdin)).toString();
      ran.push({ program, command, user, said });
      await write(answer.to?.(said) ?? usual(said));
      return 0;
    });
  }
  return { world: harness, ran, answer };
}

/** Returns the usual response of a healthy server. */
function usual(said: string): string {
  const lines = said.trim().split('\n');
  const [, done = ''] = /print\("([^"]*)"\)/.exec(said) ?? [];
  if (done !== '') return `${done}\n`;
  if (said.includes('SELECT 1;')) return '1\n';
  if (said.includes('pg_hba_file_rules')) return 't\n';
  return lines.map((line) => REDIS[line] ?? 'OK').join('\n');
}

const REDIS: Record<string, string> = {
  PING: 'PONG',
  'ACL USERS': 'davit_admin\ndefault',
  'CLIENT ID': '7',
  ROLE: 'master',
  'CLIENT LIST': 'id=7 addr=127.0.0.1:51234 name= age=0 user=davit_admin',
};

const row = (harness: TaskHarness): DatabaseRow =>
  databaseById(harness.core.store, 1) ?? assert.fail('the database is gone');
const ofEarlier = (harness: TaskHarness) => harness.core.store.tx((tx) => setDatabase(tx, 1, { rules: 0 }));
const containers = (harness: TaskHarness) => harness.engine.controls.containers().map(({ id }) => id);

for (const [engine, word] of [
  ['postgres', /ALTER ROLE "davit_owner" WITH NOLOGIN NOSUPERUSER NOCREATEDB/],
  ['mariadb', /REVOKE ALL PRIVILEGES ON \*\.\* FROM 'db'@'%'/],
  ['mysql', /GRANT SHOW_ROUTINE ON \*\.\* TO 'davit_reader'/],
  ['mongodb', /davit_reader.*"role":"read"/],
  ['redis', /ACL SETUSER default reset on #\w+ .*\+@all -@admin -acl/],
] as const) {
  test(`${engine}: applies the current access rules to an older server once, without a restart`, async () => {
    const { world: harness, ran } = await made(engine);
    await using _ = harness;
    await harness.reconcile();
    assert.equal(row(harness).rules, RULES);
    assert.ok(!ran.some(({ said }) => word.test(said)), 'one that this version made has them');
    ofEarlier(harness);
    const before = containers(harness);

    await harness.reconcile();
    const applied = ran.length;
    await harness.reconcile();

    assert.equal(row(harness).rules, RULES);
    assert.ok(ran.some(({ said }) => word.test(said)));
    assert.equal(ran.slice(applied).filter(({ said }) => word.test(said)).length, 0, JSON.stringify(ran));
    assert.deepEqual(containers(harness), before);
    assert.deepEqual(harness.errors, []);
  });
}

test('postgres: restores the recorded password after code in the database has changed the password', async () => {
  const { world: harness, ran, answer } = await made('postgres');
  await using _ = harness;
  const { username, password } = row(harness);
  const { core, ctx } = harness;
  const check = () => databasePasswordsTask(core, ctx.log).run(new AbortController().signal);
  const verifier = { value: scramVerifier(openDatabasePassword(core, row(harness))) };
  answer.to = (said) => {
    const listed = `${JSON.stringify({ login: username, verifier: verifier.value })}\n`;
    return `${/rolpassword\) FROM pg_authid/.test(said) ? listed : ''}${usual(said)}`;
  };
  assert.notEqual(password, '');
  await harness.reconcile();
  await check();
  assert.equal(row(harness).rules, RULES);

  verifier.value = scramVerifier('chosen by a trigger');
  await check();
  assert.equal(row(harness).rules, RULES_DUE);
  ran.length = 0;
  await harness.reconcile();

  assert.equal(row(harness).rules, RULES);
  assert.ok(ran.some(({ said }) => said.includes(`ALTER ROLE "${username}"`)));
});

test('a backup of an older server applies the current access rules first', async () => {
  await using harness = await withDatabase();
  ofEarlier(harness);

  const { error } = await harness.ended(await backUpDatabase(harness.core, harness.ctx, main(harness), {}));

  assert.equal(error, null);
  assert.equal(main(harness).rules, RULES);
});

describe('postgres: an older server with trust authentication on its socket', () => {
  async function trusting() {
    const server = await made('postgres');
    server.world.engine.controls.program('cat', async ({ write }) => {
      await write('local all all trust\nlocal replication all trust\nhostssl all all all scram-sha-256\n');
      return 0;
    });
    ofEarlier(server.world);
    return server;
  }
  const well = (said: string) =>
    said.includes('pg_ident_file_mappings') ? '3\n' : said.includes('pg_hba_file_rules') ? 't\n' : '';

  it('disables trust authentication without a restart once the platform user is mapped', async () => {
    const { world: harness, ran, answer } = await trusting();
    await using _ = harness;
    answer.to = well;
    const before = containers(harness);

    await harness.reconcile();

    const [, users, known, rules, reload] = ran;
    assert.deepEqual(users?.command, ['tee', '/var/lib/postgresql/data/pgdata/pg_ident.conf']);
    assert.match(users?.said ?? '', /^davit nobody davit_admin$/m);
    assert.match(known?.said ?? '', /pg_ident_file_mappings/);
    assert.deepEqual([rules?.program, rules?.user, rules?.command.at(-1)], ['sed', '0', '/etc/davit/pg_hba.conf']);
    assert.match(rules?.command.join(' ') ?? '', /davit_admin,davit_reader,davit_restorer peer map=davit/);
    assert.match(reload?.said ?? '', /pg_reload_conf/);
    assert.equal(row(harness).rules, RULES);
    assert.deepEqual(containers(harness), before);
    assert.deepEqual(harness.errors, []);
  });

  for (const [what, failing] of [
    [
      'keeps its rules until it knows the platform user, because new rules would lock Davit out',
      'pg_ident_file_mappings',
    ],
    ['gets the new rules again later if it did not apply them', 'pg_hba_file_rules'],
  ] as const)
    it(what, async () => {
      const { world: harness, ran, answer } = await trusting();
      await using _ = harness;
      answer.to = (said) => (said.includes(failing) ? '0\n' : well(said));

      await harness.reconcile();

      assert.equal(row(harness).rules, 0);
      const isWritten = ran.some(({ program }) => program === 'sed');
      assert.equal(isWritten, failing === 'pg_hba_file_rules');
    });
});

describe('mariadb: a table locked by an app', () => {
  const skipped = "Table 'db'.'held' was skipped since its definition is being modified by concurrent DDL statement";

  it('skips the table in the access rules and applies the rules again later', async () => {
    const { world: harness, ran, answer } = await made('mariadb');
    await using _ = harness;
    const view = `VIEW\t${Buffer.from('db').toString('hex')}\t${Buffer.from('seen').toString('hex')}\n`;
    answer.to = (said) => (said.includes('information_schema.views') ? `${view}Warning\t1684\t${skipped}\n` : '');
    ofEarlier(harness);

    await harness.reconcile();

    assert.equal(row(harness).rules, 0);
    const isGiven = /ALTER DEFINER=''db''@''%'' SQL SECURITY [^;]* table_schema = 'db' AND table_name = 'seen'/;
    assert.ok(ran.some(({ said }) => isGiven.test(said)));
    assert.ok(
      ran.every(({ said }) => said.startsWith('SET SESSION lock_wait_timeout = 5;\n') || said.includes('[client]')),
    );
    delete answer.to;
    await harness.reconcile();
    assert.equal(row(harness).rules, RULES);
  });

  it('does not block a password rotation', async () => {
    const { world: harness, ran, answer } = await made('mariadb');
    await using _ = harness;
    const before = containers(harness);
    answer.to = (said) => (said.includes('information_schema.views') ? `Warning\t1684\t${skipped}\n` : usual(said));

    const { error, log } = await harness.ended(rotatePassword(harness.core, harness.ctx, row(harness)));

    assert.equal(error, null);
    assert.match(log ?? '', /could not be updated, and Davit tries again\. /);
    assert.ok(ran.some(({ said }) => said.includes("SELECT 'Table ''db''.''held'' was skipped")));
    assert.ok(
      ran.some(({ said }) =>
        /ALTER USER .*'db'@'%' ACCOUNT LOCK;\nSELECT .*\n.*processlist p WHERE p.user = 'db'/.test(said),
      ),
    );
    assert.deepEqual([row(harness).other_logins, row(harness).rules, containers(harness)], [null, 0, before]);
  });
});

test('mariadb: a rotation applies the access rules again after disabling the old login', async () => {
  const { world: harness, ran } = await made('mariadb');
  await using _ = harness;

  assert.equal((await harness.ended(rotatePassword(harness.core, harness.ctx, row(harness)))).error, null);

  const ended = ran.findIndex(({ said }) => said.includes("ALTER USER IF EXISTS 'db'@'%' ACCOUNT LOCK;"));
  const rules = ran.findLast(({ said }) => said.includes('UPDATE mysql.global_priv SET'));
  assert.ok(ended !== -1 && rules !== undefined && ran.indexOf(rules) > ended);
  assert.match(rules.said, /'db_2@%'/);
  assert.doesNotMatch(rules.said, /'db@%'/, 'the previous login cannot connect');
});

test('redis: deletes users that were created outside of Davit', async () => {
  const { world: harness, ran, answer } = await made('redis');
  await using _ = harness;
  const users = new Set(['davit_admin', 'default', 'foo', 'q"x']);
  answer.to = (said) =>
    said
      .trim()
      .split('\n')
      .map((line) => {
        if (line === 'ACL USERS') return [...users].join('\n');
        const [, name = ''] = /^ACL DELUSER (".*")$/.exec(line) ?? [];
        return name === '' ? (REDIS[line] ?? 'OK') : String(Number(users.delete(JSON.parse(name) as string)));
      })
      .join('\n');
  ofEarlier(harness);

  await harness.reconcile();

  assert.deepEqual([...users], ['davit_admin', 'default']);
  assert.equal(row(harness).rules, RULES);
  assert.ok(ran.some(({ program, said }) => program === 'tee' && /^user default on #\w+ .*-@admin/m.test(said)));
});

const SHUT_OUT = 'WRONGPASS invalid username-password pair or user is disabled.\n';
for (const [how, observed, said] of [
  ['on which an app has blocked the login of Davit', 'ready', SHUT_OUT],
  ['on which an app has blocked the login of Davit', 'down', SHUT_OUT],
  ['that does not stop replicating from another server', 'ready', 'OK\nPONG\nslave\nother\n6379\n'],
] as const)
  test(`redis: replaces the container of a server ${how} (${observed} before)`, async () => {
    const { world: harness, answer } = await made('redis');
    await using _ = harness;
    harness.core.store.tx((tx) => setDatabase(tx, 1, { observed }));
    const [before] = harness.engine.controls.containers();
    answer.to = (input) => {
      const isNew = harness.engine.controls.containers().every(({ id }) => id !== before?.id);
      return isNew ? usual(input) : said;
    };
    ofEarlier(harness);

    await harness.reconcile();

    const [now, second] = harness.engine.controls.containers();
    assert.equal(second, undefined);
    assert.notEqual(now?.id, before?.id);
    assert.deepEqual(now?.volumes, before?.volumes);
    assert.equal(row(harness).rules, RULES);
  });

describe('redis: an endless script of an app', () => {
  const BUSY = 'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.';
  const answers = (killed: string) => (said: string) =>
    said
      .trim()
      .split('\n')
      .map((line) => (line.startsWith('AUTH') ? 'OK' : line === 'SCRIPT KILL' ? killed : BUSY))
      .join('\n');

  it('restarts the server for a rotation if the script has written data', async () => {
    const { world: harness, ran, answer } = await made('redis');
    await using _ = harness;
    const [before] = harness.engine.controls.containers();
    const old = hashOf(harness);
    const isOld = () => harness.engine.controls.containers().some(({ id }) => id === before?.id);
    const busy = answers('UNKILLABLE Sorry the script already executed write commands against the dataset.');
    answer.to = (said) => (isOld() && !said.startsWith('user') && !said.startsWith('bind') ? busy(said) : usual(said));
    harness.core.store.tx((tx) => setDatabase(tx, 1, { observed: 'unready' }));

    const { error, log } = await harness.ended(rotatePassword(harness.core, harness.ctx, row(harness)));

    assert.equal(error, null);
    assert.match(log ?? '', /restarts the database server/);
    const [now, ...others] = harness.engine.controls.containers();
    assert.deepEqual([others, now?.volumes], [[], before?.volumes]);
    const first = now?.files.find(({ path }) => path === '/etc/davit/server.conf');
    assert.match(Buffer.from(first?.bytes ?? '').toString(), new RegExp(`^user default on ${hashOf(harness)} `, 'm'));
    assert.doesNotMatch(Buffer.from(first?.bytes ?? '').toString(), new RegExp(old));
    assert.ok(lastRule(ran).includes(hashOf(harness)) && !lastRule(ran).includes(old), lastRule(ran));
    await harness.reconcile();
    assert.deepEqual([row(harness).observed, row(harness).rules], ['ready', RULES]);
  });

  it('kills the script without a server restart if the script has written nothing', async () => {
    const { world: harness, answer } = await made('redis');
    await using _ = harness;
    const before = containers(harness);
    let isKilled = false;
    answer.to = (said) => {
      const output = isKilled ? usual(said) : answers('OK')(said);
      isKilled ||= said.includes('SCRIPT KILL');
      return output;
    };

    assert.equal((await harness.ended(rotatePassword(harness.core, harness.ctx, row(harness)))).error, null);
    assert.deepEqual(containers(harness), before);
  });

  it('replaces the container of an older server to apply the access rules', async () => {
    const { world: harness, answer } = await made('redis');
    await using _ = harness;
    const [before] = containers(harness);
    const busy = answers('UNKILLABLE Sorry the script already executed write commands against the dataset.');
    answer.to = (said) => (containers(harness).includes(before ?? '') ? busy(said) : usual(said));
    ofEarlier(harness);

    await harness.reconcile();

    assert.ok(!containers(harness).includes(before ?? ''));
    assert.equal(row(harness).rules, RULES);
  });
});

for (const [how, said] of [
  ['has reached its maximum number of clients', 'ERR max number of clients reached\n\n'],
  ['accepts no connections', ''],
] as const)
  describe(`redis: a server that ${how} because of CONFIG`, () => {
    async function blocked() {
      const { world: harness } = await made('redis');
      await patchDatabase(harness.core, harness.ctx, row(harness), { allow_config: true });
      const [before = ''] = containers(harness);
      harness.engine.controls.program('redis-cli', async ({ container, stdin, write, complain }) => {
        const input = Buffer.concat(await Array.fromAsync(stdin)).toString();
        const isBlocked = container.id === before;
        if (isBlocked && said === '') complain('Could not connect to Redis at 127.0.0.1:6379: Connection refused\n');
        await write(isBlocked ? said : usual(input));
        return 0;
      });
      return { world: harness, before };
    }

    it('restarts the server to complete a password rotation', async () => {
      const { world: harness, before } = await blocked();
      await using _ = harness;

      const { error, log } = await harness.ended(rotatePassword(harness.core, harness.ctx, row(harness)));

      assert.equal(error, null);
      assert.match(log ?? '', /Davit restarts the database server/);
      assert.ok(!containers(harness).includes(before));
    });

    it('replaces the container to revoke CONFIG', async () => {
      const { world: harness, before } = await blocked();
      await using _ = harness;

      await patchDatabase(harness.core, harness.ctx, row(harness), { allow_config: false });
      await harness.reconcile();

      assert.ok(!containers(harness).includes(before));
      assert.equal(row(harness).rules, RULES);
    });
  });

test('redis: keeps the container while the server loads its data', async () => {
  const { world: harness, answer } = await made('redis');
  await using _ = harness;
  const before = containers(harness);
  answer.to = () => 'OK\nLOADING Redis is loading the dataset in memory\n';
  ofEarlier(harness);

  await harness.reconcile();

  assert.deepEqual(containers(harness), before);
  assert.equal(row(harness).rules, 0);
});

test('redis: grants and revokes CONFIG without a restart, and denies CONFIG by default', async () => {
  const { world: harness, ran } = await made('redis');
  await using _ = harness;
  const patch = (body: DatabasePatch) => patchDatabase(harness.core, harness.ctx, row(harness), body);
  const last = () => ran.findLast(({ said }) => said.includes('ACL SETUSER'))?.said ?? '';
  const before = containers(harness);

  assert.equal((await patch({ description: 'a cache' })).allow_config, false);
  assert.equal((await patch({ allow_config: true })).allow_config, true);
  assert.match(last(), /ACL SETUSER default .*\+config\|get \+config\|set \+config\|resetstat$/m);
  assert.equal((await patch({ allow_config: false })).allow_config, false);
  assert.doesNotMatch(last(), /config/);
  assert.deepEqual(containers(harness), before);
});

test('redis: applies a CONFIG grant later if the server is still loading its data', async () => {
  const { world: harness, ran, answer } = await made('redis');
  await using _ = harness;
  answer.to = () => 'LOADING Redis is loading the dataset in memory\n';
  await patchDatabase(harness.core, harness.ctx, row(harness), { allow_config: true });
  assert.notEqual(row(harness).rules, RULES);
  delete answer.to;

  await harness.reconcile();

  assert.equal(row(harness).rules, RULES);
  assert.match(ran.findLast(({ said }) => said.includes('ACL SETUSER'))?.said ?? '', /config\|set/);
});

const { signal } = new AbortController();
const lastRule = (ran: Ran[]) =>
  /^ACL SETUSER default .*$/m.exec(ran.findLast(({ said }) => said.includes('ACL SETUSER'))?.said ?? '')?.[0] ?? '';
const hashOf = (harness: TaskHarness) =>
  `#${createHash('sha256')
    .update(openDatabasePassword(harness.core, row(harness)))
    .digest('hex')}`;

test('redis: applies concurrent permission changes one after another and ends with the recorded permissions', async () => {
  const { world: harness, ran } = await made('redis');
  await using _ = harness;
  const patch = (allow_config: boolean) => patchDatabase(harness.core, harness.ctx, row(harness), { allow_config });
  const gate = harness.engine.controls.pause('execute');
  const given = patch(true);
  await gate.reached;
  const taken = patch(false);
  assert.equal(await isHeld(taken), true, 'one at a time says something to a server');
  gate.open();
  await Promise.all([given, taken]);

  assert.deepEqual([row(harness).allow_config, row(harness).rules], [0, RULES]);
  assert.doesNotMatch(lastRule(ran), /config/);
  assert.equal(ran.filter(({ program }) => program === 'tee').length, 2);
});

test('redis: a pending rule update does not bring back a password replaced by a rotation', async () => {
  const { world: harness, ran } = await made('redis');
  await using _ = harness;
  const before = hashOf(harness);
  const gate = harness.engine.controls.pause('execute');
  const patched = patchDatabase(harness.core, harness.ctx, row(harness), { allow_config: true });
  await gate.reached;
  const rotation = harness.ended(rotatePassword(harness.core, harness.ctx, row(harness)));
  await isHeld(rotation);
  gate.open();
  await patched;
  assert.deepEqual([(await rotation).error, row(harness).other_logins], [null, null]);

  assert.notEqual(hashOf(harness), before);
  assert.ok(lastRule(ran).includes(hashOf(harness)), lastRule(ran));
  assert.ok(!lastRule(ran).includes(before), lastRule(ran));
  assert.match(lastRule(ran), /config\|set/);
});

test('redis: postpones a queued rule update until a rotation in progress has ended', async () => {
  const { world: harness, ran } = await made('redis');
  await using _ = harness;
  const patch = (allow_config: boolean) => patchDatabase(harness.core, harness.ctx, row(harness), { allow_config });
  const gate = harness.engine.controls.pause('execute');
  const given = patch(true);
  await gate.reached;
  const taken = patch(false);
  await isHeld(taken);
  const rotation = harness.ended(rotatePassword(harness.core, harness.ctx, row(harness)));
  gate.open();
  await Promise.all([given, taken]);
  assert.equal((await rotation).error, null);
  const noted = () => ran.filter(({ program }) => program === 'tee').length;
  assert.deepEqual([noted(), row(harness).rules], [3, 0], 'the first rules, and two steps of the rotation');

  await harness.reconcile();

  assert.deepEqual([noted(), row(harness).rules], [4, RULES]);
  assert.ok(lastRule(ran).includes(hashOf(harness)) && !lastRule(ran).includes('config'), lastRule(ran));
});

test('redis: renewRules runs no commands while a rotation is in progress', async () => {
  const { world: harness, ran } = await made('redis');
  await using _ = harness;
  ofEarlier(harness);
  const gate = harness.engine.controls.pause('execute');
  const rotation = harness.ended(rotatePassword(harness.core, harness.ctx, row(harness)));
  await gate.reached;

  assert.equal(await renewRules(harness.core, 1, signal), true);

  assert.deepEqual(ran, []);
  gate.open();
  assert.equal((await rotation).error, null);
  await renewRules(harness.core, 1, signal);
  assert.equal(row(harness).rules, RULES);
});

test('refuses allow_config for engines other than Redis', async () => {
  const { world: harness } = await made('postgres');
  await using _ = harness;
  const isRefused = (error: unknown) => error instanceof DavitError && error.code === 'invalid_input';

  await assert.rejects(patchDatabase(harness.core, harness.ctx, row(harness), { allow_config: true }), isRefused);
  const input = DatabaseCreate.parse({ project: 'shop', name: 'other', engine: 'mariadb', allow_config: true });
  await assert.rejects(createDatabase(harness.core, harness.ctx, input), isRefused);
});
