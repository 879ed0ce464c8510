/** Tests `davit database shell` with pipes. The live tests run the command on a terminal. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { database, user } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

const on = withDavit();

interface Saying {
  write: (text: string) => Promise<void>;
  complain: (text: string) => void;
}

/** Replaces the `psql` of users. Davit itself runs `psql` without a password in its variables. */
function userPsql(run: (input: string, say: Saying) => Promise<number>): void {
  on.daemon.engine.controls.program('psql', async ({ env, stdin, write, complain }) => {
    const input = Buffer.concat(await Array.fromAsync(stdin)).toString();
    return env.PGPASSWORD === undefined ? 0 : run(input, { write, complain });
  });
}

describe('davit database shell without a terminal', () => {
  it('passes the whole input, both outputs and the exit code on', async () => {
    const { reference } = await database(on.daemon);
    userPsql(async (input, { write, complain }) => {
      await write(`${input.length}\n`);
      complain('one warning\n');
      return 3;
    });
    const input = 'select 1; '.repeat(200_000);

    const ran = await on.davit.run(['database', 'shell', reference], { input });

    assert.deepEqual(ran, { code: 3, stdout: `${input.length}\n`, stderr: 'one warning\n' });
  });

  it('runs without input', async () => {
    const { reference } = await database(on.daemon);
    userPsql(async (input) => (input === '' ? 0 : 1));

    assert.deepEqual(await on.davit.run(['database', 'shell', reference]), { code: 0, stdout: '', stderr: '' });
  });

  it('ends when the user cancels', async () => {
    const { reference } = await database(on.daemon);
    userPsql(async (_, { write }) => {
      await write('begun\n');
      return new Promise(() => undefined);
    });
    const leave = new AbortController();
    const onOutput = () => leave.abort();

    const { code, stderr } = await on.davit.run(['database', 'shell', reference], { signal: leave.signal, onOutput });

    assert.equal(code, 130);
    assert.match(stderr, /Interrupted\. The shell was stopped/);
  });

  it('has its own exit codes for a missing database and a missing permission', async () => {
    const { reference } = await database(on.daemon);
    const { key } = user(on.daemon, 'viewer');

    const missing = await on.davit.run(['database', 'shell', 'no/such/db']);
    const forbidden = await on.davit.run(['database', 'shell', reference], { env: { DAVIT_API_KEY: key } });
    const wrong = await on.davit.run(['database', 'shell', 'db']);

    assert.deepEqual([missing.code, wrong.code], [5, 2]);
    assert.notEqual(forbidden.code, 0);
    assert.match(forbidden.stderr, /member/);
  });
});
