/** Tests backups and restores of servers that are busy, blocked or unresponsive. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { patience } from '@davit/testkit/waiting';
import type { Engine } from '../../../adapters/engine/engine.ts';
import type { Program } from '../../../adapters/engine/execution.ts';
import { parseCounts } from './counts.ts';
import { mariadbTool } from './mysql.ts';
import { postgresTool } from './postgres.ts';
import { programOutput, run, ToolFailed } from './program.ts';
import { redisTool, saved } from './redis.ts';
import type { DumpedDatabase } from './tool.ts';

type Answer = (program: Program, said: string) => { out?: string; err?: string; exitCode?: number };

/** Returns a database whose programs print these outputs. */
function served(answer: Answer, database: string | null = null): DumpedDatabase {
  const engine: Pick<Engine, 'execute'> = {
    async execute(_id, program, { stdin }) {
      const said = Buffer.concat(stdin === undefined ? [] : await Array.fromAsync(stdin)).toString();
      const { out = '', err = '', exitCode = 0 } = answer(program, said);
      return {
        stdout: Readable.from(out === '' ? [] : [Buffer.from(out)]),
        exited: Promise.resolve({ exitCode, stderrTail: err }),
      };
    },
  };
  return {
    engine,
    container: 'one',
    signal: patience(),
    adminPassword: 'secret',
    login: { username: 'app', password: 'word' },
    database,
  };
}

describe('a Redis backup', () => {
  const LATE = 'redis did not save its data within';
  const IDLE = 'rdb_bgsave_in_progress:0\r\nrdb_last_bgsave_status:ok\r\n';

  for (const refusal of [
    'ERR Background save already in progress',
    'ERR Another child process is active (AOF?): can’t BGSAVE right now. Use BGSAVE SCHEDULE in order to schedule a BGSAVE whenever possible.',
  ]) {
    it(`is retried after the refusal “${refusal.slice(4, 35)}”`, async () => {
      let kept = 'old';
      let refused = 2;
      const of = served(({ command: [name] }, said) => {
        if (name === 'cat') return { out: kept };
        if (name === 'redis-check-rdb') return { out: '[info] 7 keys read\n[info] 2 expires\n' };
        if (said.includes('INFO keyspace')) return { out: 'OK\n' };
        if (said.includes('INFO persistence')) return { out: `OK\n${IDLE}` };
        // Saves of the server itself contain older data. A scheduled save starts only after the answer.
        if (said.includes('SCHEDULE')) return { out: 'OK\nBackground saving scheduled\n' };
        if (refused-- > 0) return { out: `OK\n${refusal}\n\n` };
        kept = 'new';
        return { out: 'OK\nBackground saving started\n' };
      });

      const { bytes, facts } = await redisTool.dump(of);

      assert.equal(Buffer.concat(await Array.fromAsync(bytes)).toString(), 'new');
      assert.deepEqual(await facts(), { counts: { keys: 5 } });
    });
  }

  it('disables the save delay of an app before saving', async () => {
    const sent: string[] = [];
    const of = served((_program, said) => {
      sent.push(...said.trim().split('\n').slice(1));
      if (said.includes('CONFIG')) return { out: 'OK\nERR Unknown option or number of arguments\n' };
      return { out: said.includes('BGSAVE') ? 'OK\nBackground saving started\n' : `OK\n${IDLE}` };
    });

    await saved(of);

    assert.deepEqual(sent, ['CONFIG SET rdb-key-save-delay 0', 'BGSAVE', 'INFO persistence']);
  });

  it('fails if the save does not end before the timeout', async () => {
    const endless = served((_program, said) => ({
      out: said.includes('BGSAVE') ? 'OK\nBackground saving started\n' : 'OK\nrdb_bgsave_in_progress:1\r\n',
    }));
    const never = served((_program, said) => ({
      out: said.includes('BGSAVE') ? 'OK\nERR Background save already in progress\n' : 'OK\n',
    }));

    for (const one of [endless, never])
      await assert.rejects(saved(one, 300), (error) => error instanceof ToolFailed && error.message.startsWith(LATE));
  });

  it('fails with the server’s error message for another refusal', async () => {
    const of = served((_program, said) => ({ out: said.includes('BGSAVE') ? 'OK\nMISCONF disk full\n' : 'OK\n' }));

    await assert.rejects(redisTool.dump(of), /MISCONF disk full/);
  });
});

describe('postgresTool.empty with the default database', () => {
  /** Simulates the server: a session cannot drop its own database, and cannot connect to a missing database. */
  const server = (databases: Set<string>) =>
    served(
      ({ command }, said) => {
        const connected = command.find((word) => word.startsWith('--dbname='))?.slice('--dbname='.length) ?? '';
        if (!databases.has(connected)) return { err: `FATAL: database "${connected}" does not exist`, exitCode: 2 };
        for (const [, verb, name = ''] of said.matchAll(/^(DROP DATABASE IF EXISTS|CREATE DATABASE) "([^"]+)"/gm)) {
          if (verb === 'CREATE DATABASE') databases.add(name);
          else if (name === connected) return { err: 'ERROR: cannot drop the currently open database', exitCode: 3 };
          else databases.delete(name);
        }
        return {};
      },
      [...databases].at(-1) ?? '',
    );

  it('deletes and recreates the default database', async () => {
    const databases = new Set(['template1', 'postgres']);

    await postgresTool.empty(server(databases));

    assert.deepEqual([...databases], ['template1', 'postgres']);
  });

  it('keeps the default database while emptying another database', async () => {
    const databases = new Set(['template1', 'postgres', 'shop']);

    await postgresTool.empty(server(databases));

    assert.deepEqual([...databases], ['template1', 'postgres']);
  });
});

describe('tables with line breaks in their names', () => {
  it('are read correctly from the counts', () => {
    const counts = parseCounts('public.goods\t3\npublic.two\nlines\t4\n\nlast\t5\n');

    assert.deepEqual(counts, { 'public.goods': 3, 'public.two\nlines': 4, '\nlast': 5 });
  });

  it('are not written into comments of a MariaDB dump', async () => {
    const commands: string[][] = [];
    const of = served(({ command }) => {
      commands.push([...command]);
      return {};
    }, 'shop');

    await Array.fromAsync((await mariadbTool.dump(of)).bytes);

    const dump = commands.find(([name]) => name === 'mariadb-dump') ?? assert.fail('nothing was dumped');
    assert.ok(dump.includes('--skip-comments'), dump.join(' '));
  });
});

describe('backup tools with a blocked server', () => {
  it('the Redis backup fails while a script runs', async () => {
    const of = served((_, said) => ({
      out: said.includes('BGSAVE') ? 'OK\nBUSY Redis is busy running a script.\n' : 'OK\n',
    }));
    await assert.rejects(redisTool.dump(of), /BUSY Redis is busy/);
  });

  it('the MariaDB backup reports a table lock of an app', async () => {
    const words = 'Lock wait timeout exceeded; try restarting transaction';
    const of = served(
      ({ command: [name] }, said) => ({
        out: name === 'mariadb' && said.includes('SHOW WARNINGS') ? `goods\t0\nWarning\t1205\t${words}\n` : '',
      }),
      'shop',
    );
    await assert.rejects(mariadbTool.dump(of), new ToolFailed(`a session of an app locks a table: ${words}`));
  });

  it('the MariaDB reader waits at most a minute for a table lock', async () => {
    const sent: string[] = [];
    const of = served(({ command: [name] }, said) => {
      if (name === 'mariadb') sent.push(said);
      return {};
    }, 'shop');
    await mariadbTool.count(of);
    assert.ok(sent.length > 0 && sent.every((said) => said.startsWith('SET SESSION lock_wait_timeout = 60;\n')));
  });

  /** Returns a server whose programs write this text and then nothing. */
  function silent(beginning: string) {
    const engine: Pick<Engine, 'execute'> = {
      async execute(_id, _program, { signal }) {
        async function* stdout() {
          yield Buffer.from(beginning);
          await once(signal, 'abort');
          throw signal.reason;
        }
        return { stdout: stdout(), exited: new Promise(() => undefined) };
      },
    };
    return { engine, container: 'one', signal: patience() };
  }

  it('run ends a program that writes nothing for too long', async () => {
    const pendingRun = run(silent('the beginning'), { command: ['psql'] }, undefined, 6);
    await assert.rejects(pendingRun, new ToolFailed('psql wrote nothing for 0.0001 minutes'));
  });

  it('run does not end a program that still reads its input', async () => {
    const engine: Pick<Engine, 'execute'> = {
      async execute(_id, _program, { stdin, signal }) {
        async function* stdout() {
          for await (const piece of stdin ?? []) {
            signal.throwIfAborted();
            if (String(piece) === 'last') yield Buffer.from(piece);
          }
        }
        return { stdout: stdout(), exited: Promise.resolve({ exitCode: 0, stderrTail: '' }) };
      },
    };
    async function* pieces() {
      // The chunks take longer in total than the maximum silence of the program.
      for (let n = 0; n < 20; n++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        yield Buffer.from('more');
      }
      yield Buffer.from('last');
    }
    const target = { engine, container: 'one', signal: patience() };
    assert.equal(await run(target, { command: ['dd'] }, pieces(), 300), 'last');
  });

  it('programOutput ends a dump that writes nothing for too long', async () => {
    const target = silent('the beginning');
    const output: string[] = [];
    const read = async () => {
      for await (const piece of programOutput(target, { command: ['pg_dump'] }, { silentMs: 6 }))
        output.push(String(piece));
    };
    await assert.rejects(read(), new ToolFailed('pg_dump wrote nothing for 0.0001 minutes'));
    assert.deepEqual(output, ['the beginning']);
  });
});
