/** What a dump of PostgreSQL takes along beside its bytes, and what it leaves behind at the server. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import type { Engine } from '../../engine/engine.ts';
import type { Program } from '../../engine/execution.ts';
import { dumping } from './dumping.ts';
import { postgresTool } from './postgres.ts';
import type { DumpedDatabase } from './tool.ts';

interface Ran extends Program {
  said: string;
  signal: AbortSignal;
}

/** A server that tells this of a database, and what was run in it. */
function served(head: object): { of: DumpedDatabase; ran: Ran[] } {
  const ran: Ran[] = [];
  const engine: Pick<Engine, 'execute'> = {
    async execute(_id, program, { stdin, signal }) {
      const one = { ...program, said: '', signal };
      ran.push(one);
      const exited = Promise.withResolvers<{ exitCode: number; stderrTail: string }>();
      async function* answers() {
        for await (const piece of stdin ?? []) {
          one.said += Buffer.from(piece).toString();
          if (String(piece).includes('pg_export_snapshot')) yield Buffer.from('00000003-1\n');
          if (String(piece).includes('jsonb_build_object')) yield Buffer.from(`${JSON.stringify(head)}\n`);
        }
        exited.resolve({ exitCode: 0, stderrTail: '' });
      }
      return { stdout: Readable.from(answers()), exited: exited.promise };
    },
  };
  const of = { engine, container: 'one', adminPassword: 'secret', database: 'shop' };
  return { of: { ...of, signal: AbortSignal.timeout(10_000) }, ran };
}

const HEAD = { roles: { app: [] }, settings: ['search_path="$user", it\'s'], comment: 'it’s "mine"', things: 20 };

describe('a dump of PostgreSQL', () => {
  it('whose place refuses it before its first byte leaves no session at the server', async () => {
    const { of, ran } = served(HEAD);

    await assert.rejects(
      dumping(postgresTool, of, async () => {
        throw new Error('there is no room');
      }),
      /there is no room/,
    );

    const holder = ran.find(({ said }) => said.includes('pg_export_snapshot')) ?? assert.fail('none was opened');
    assert.ok(holder.signal.aborted, 'it goes on');
  });

  it('says what is the database’s as a whole, which it is given again', async () => {
    const { of } = served(HEAD);
    const { head } = await dumping(postgresTool, of, async (dump) => dump);
    const { of: into, ran } = served({});

    await postgresTool.restore(into, Readable.from([]), head);

    const { things: _, ...told } = HEAD;
    assert.deepEqual(head, told);
    const last = ran.at(-1)?.said ?? '';
    assert.match(last, /setconfig\)\s+SELECT oid, 0, ARRAY\['search_path="\$user", it''s'\]/);
    assert.match(last, /COMMENT ON DATABASE "shop" IS 'it’s "mine"';/);
  });

  it('is read in at once, unless it has more than one transaction can lock', async () => {
    for (const [things, word] of [
      [3_000, '--single-transaction'],
      [3_001, '--exit-on-error'],
    ] as const) {
      const { of, ran } = served({ ...HEAD, things });
      const { head } = await dumping(postgresTool, of, async (dump) => dump);

      await postgresTool.restore(of, Readable.from([]), head);

      const { command = [] } = ran.find((one) => one.command[0] === 'pg_restore') ?? {};
      assert.ok(command.includes(word), `${things}: ${command.join(' ')}`);
    }
  });

  it('counts each table in a transaction of its own, so that no number of them takes all locks', async () => {
    const { of, ran } = served(HEAD);

    await dumping(postgresTool, of, (dump) => dump.facts());

    const { said = '' } = ran.find((one) => one.said.includes('FROM ONLY')) ?? {};
    const [, begin = '', same = ''] =
      /SELECT 'COMMIT', ('BEGIN [^']+'), ('SET TRANSACTION [^,]+'), format\(/.exec(said) ?? [];
    assert.match(begin, /REPEATABLE READ/);
    assert.match(same, /''00000003-1''/);
  });
});
