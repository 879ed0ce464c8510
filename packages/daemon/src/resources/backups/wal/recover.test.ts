/** Tests the sessions on a recovered server, whose data may contain code of a former superuser. */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { patience } from '@davit/testkit/waiting';
import type { Engine } from '../../../adapters/engine/engine.ts';
import type { Execution, Program } from '../../../adapters/engine/execution.ts';
import type { DumpedDatabase } from '../tools/tool.ts';
import { recovered } from './recover.ts';

interface Said {
  database: string | undefined;
  statements: string;
}

/** Returns a container whose second server accepts connections, and records the statements of its sessions. */
function serving(): { place: DumpedDatabase; said: Said[] } {
  const said: Said[] = [];
  const engine: Pick<Engine, 'execute'> = {
    async execute(_id, program, { stdin, signal }) {
      if (program.command[0] === 'postgres') return untilAborted(signal);
      const statements = Buffer.concat(await Array.fromAsync(stdin ?? [])).toString();
      said.push({ database: databaseOf(program), statements });
      const stdout = Readable.from([Buffer.from(statements.includes('pg_is_in_recovery') ? 'f\n' : '')]);
      return { stdout, exited: Promise.resolve({ exitCode: 0, stderrTail: '' }) };
    },
  };
  const login = { username: 'app', password: 'word' };
  const target = { engine, container: 'one', adminPassword: 'secret', login, database: 'shop', signal: patience() };
  return { place: target, said };
}

function untilAborted(signal: AbortSignal): Execution {
  const ended = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => ended.reject(signal.reason), { once: true });
  return { stdout: Readable.from([]), exited: ended.promise };
}

function databaseOf({ command }: Program): string | undefined {
  return command.find((word) => word.startsWith('--dbname='))?.slice('--dbname='.length);
}

test('recovered disables event triggers of the database before any other statement', async () => {
  const { place: target, said } = serving();

  await recovered(target, 1_000, async ({ database }) => assert.equal(database, 'shop'));

  const [first, ...rest] = said.filter(({ database }) => database === 'shop');
  assert.match(first?.statements ?? '', /^UPDATE pg_event_trigger SET evtenabled = 'D'/);
  assert.deepEqual(rest, []);
});

test('recovered allows connections to a closed database before connecting', async () => {
  const { place: target, said } = serving();

  await recovered(target, 1_000, async () => undefined);

  const opened = said.findIndex(({ statements }) => /ALLOW_CONNECTIONS true.*'shop'/s.test(statements));
  assert.ok(opened >= 0 && opened < said.findIndex(({ database }) => database === 'shop'));
  assert.match(said[opened]?.statements ?? '', /^UPDATE pg_event_trigger/);
});
