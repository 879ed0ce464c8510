import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import type { Database } from '@davit/api';
import { bootDaemon, database, databaseParams, type TestDaemon, user } from '@davit/testkit';
import { until } from '@davit/testkit/waiting';
import { WebSocket } from 'ws';
import type { SimulatedProgram } from '../../src/adapters/engine/memory/simulated-program.ts';
import { setUserRights } from '../../src/db/tables/user.ts';
import { SHELL_USER } from '../../src/resources/databases/dialects/dialect.ts';
import { ShellClient } from '../support/shell-client.ts';

const PASSWORD = 'correct-horse-45';

/** Simulates `psql` of a user. It prints each chunk of its input, its login, and at the end the whole input. */
const reporting: SimulatedProgram = async ({ env, stdin, write, complain }) => {
  let text = '';
  for await (const chunk of stdin) {
    text += Buffer.from(chunk);
    await write(`read ${chunk.length}\n`);
  }
  await write(`${env.PGUSER}@${env.PGHOST}/${env.PGDATABASE}\n`);
  complain(text);
  return env.PGPASSWORD === PASSWORD ? 3 : 99;
};

describe('a shell in a database', () => {
  let daemon: TestDaemon;
  let made: Database;
  let client = reporting;
  before(async () => {
    daemon = await bootDaemon({ taskLimits: { readyEveryMs: 1 } });
    made = await database(daemon, { password: PASSWORD });
    daemon.engine.controls.program('psql', async (run) => {
      if (run.user === SHELL_USER) return client(run);
      await Array.fromAsync(run.stdin);
      return 0;
    });
  });
  after(() => daemon[Symbol.asyncDispose]());

  const address = (query = '', { reference }: Pick<Database, 'reference'> = made) =>
    `${daemon.url.replace('http', 'ws')}/api/databases/${reference}/shell${query}`;
  const withKey = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

  async function open(query = '', key = daemon.key): Promise<ShellClient> {
    const shell = new ShellClient(address(query), withKey(key));
    await once(shell.socket, 'open');
    return shell;
  }

  async function refusal(key: string, query = '', of: Pick<Database, 'reference'> = made): Promise<[number, string]> {
    const socket = new WebSocket(address(query, of), { headers: withKey(key) });
    socket.on('error', () => undefined);
    const [, answer] = await once(socket, 'unexpected-response');
    let text = '';
    for await (const chunk of answer) text += chunk;
    return [answer.statusCode, text];
  }

  const programs = () => {
    const [container] = daemon.engine.controls.containers().filter(({ app }) => app === made.reference);
    return daemon.engine.controls.programsIn(container?.id ?? '');
  };

  it('runs the client of the engine in a terminal, with the login of the apps', async () => {
    const shell = await open('?columns=100&rows=30');

    shell.type('stty size\necho $PGUSER\necho $PGPASSWORD\nid -u\n');
    shell.socket.send(JSON.stringify({ resize: { columns: 40, rows: 12 } }));
    shell.type('stty size\nexit 5\n');

    assert.equal((await shell.closed).code, 1000);
    for (const line of ['30 100', made.username, PASSWORD, SHELL_USER, '12 40']) {
      assert.ok(shell.text.includes(`\r\n${line}\r\n`), `${line} in ${shell.text}`);
    }
    assert.deepEqual(shell.controls, [{ exit: 5 }]);
  });

  it('passes input, both outputs and the exit code on without a terminal', async () => {
    const shell = await open('?terminal=false');

    shell.type('select 1;');
    shell.type('select “2”;');
    shell.end();

    assert.deepEqual(await shell.closed, { code: 1000, reason: 'The program has ended.' });
    assert.equal(shell.text, `read 9\nread 15\n${made.username}@127.0.0.1/${made.database}\n`);
    assert.deepEqual(shell.controls, [{ stderr: 'select 1;select “2”;' }, { exit: 3 }]);
  });

  it('ends the program without a terminal when the client disconnects', async () => {
    const shell = await open('?terminal=false');
    shell.type('select 1;');
    await shell.shows(/read 9/);
    assert.ok(programs().includes('psql'));

    shell.socket.terminate();

    await until('the program ends', async () => !programs().includes('psql') || null);
  });

  it('limits the buffered input if the program stops reading', async () => {
    const ending = Promise.withResolvers<number>();
    client = () => ending.promise;
    const shell = await open('?terminal=false');
    const sent = Buffer.alloc(64 * 1024);
    let isStill = false;
    for (let i = 0; i < 10_000 && !isStill; i++) {
      shell.socket.send(sent);
      await new Promise((resolve) => setImmediate(resolve));
      // The operating system buffers a part of the input. The rest stays at the client.
      isStill = shell.socket.bufferedAmount > 32 * 2 ** 20;
    }

    client = reporting;
    // While the program does not read, the daemon cannot detect that the client has disconnected.
    ending.resolve(1);
    assert.ok(isStill);
    shell.socket.terminate();
    await shell.closed;
  });

  for (const query of ['?terminal=no', '?terminal=false&rows=3', '?columns=0', '?shell=/bin/sh', '?command=["sh"]']) {
    it(`is refused with 400 for ${query}`, async () => {
      assert.equal((await refusal(daemon.key, query))[0], 400);
    });
  }

  it('needs the permission to read secrets', async () => {
    const viewer = user(daemon, 'viewer');
    const stranger = user(daemon, 'member', []);

    assert.equal((await refusal(viewer.key))[0], 403);
    assert.equal((await refusal(stranger.key))[0], 404);
    const member = await open('', user(daemon, 'member').key);
    member.type('exit\n');
    assert.equal((await member.closed).code, 1000);
  });

  it('is refused while the database does not run', async () => {
    const stopped = await database(daemon);
    await daemon.client.stopDatabase({ params: databaseParams(stopped), query: { wait: 'true' } });

    const [status, text] = await refusal(daemon.key, '', stopped);

    assert.equal(status, 409);
    assert.match(text, /the database is stopped/);
  });

  it('is closed, with its program, when the user loses the required role', async () => {
    const member = user(daemon, 'member');
    const shell = await open('?terminal=false', member.key);

    daemon.core.store.tx((tx) => setUserRights(tx, member.id, 'viewer', null, Date.now()));

    assert.equal((await shell.closed).code, 1008);
    await until('the program ends', async () => !programs().includes('psql') || null);
  });

  it('is recorded in the audit log when opened, closed and refused, without the password', async () => {
    const member = user(daemon, 'member');
    const viewer = user(daemon, 'viewer');
    const shell = await open('', member.key);
    shell.type('exit\n');
    await shell.closed;
    await refusal(viewer.key);

    const rows = await until('the audit rows', async () => {
      const { text } = await daemon.call('GET', '/api/audit?limit=30');
      assert.ok(!text.includes(PASSWORD));
      const { events } = JSON.parse(text) as {
        events: { actor: string; operation: string; outcome: string; target: string }[];
      };
      const own = events.filter(({ actor }) => actor === member.username || actor === viewer.username);
      return own.length >= 3 ? own : null;
    });
    assert.deepEqual(
      rows.map(({ operation, outcome, target }) => `${operation} ${outcome} ${target}`).toSorted(),
      ['closeDatabaseShell ok', 'openDatabaseShell ok', 'openDatabaseShell refused'].map(
        (row) => `${row} ${made.reference}`,
      ),
    );
    assert.ok(!daemon.log.lines.join('').includes(PASSWORD));
  });
});
