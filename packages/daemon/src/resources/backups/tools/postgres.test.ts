/** Tests the data that is stored with a PostgreSQL dump, and the sessions that remain on the server. */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { patience } from '@davit/testkit/waiting';
import type { Engine } from '../../../adapters/engine/engine.ts';
import type { Program } from '../../../adapters/engine/execution.ts';
import { dumping } from './dumping.ts';
import { postgresTool } from './postgres.ts';
import type { DumpedDatabase } from './tool.ts';

interface Ran extends Program {
  said: string;
  signal: AbortSignal;
}

/** Returns the output of a program, or `null` if the program fails. */
type Answer = (one: Ran) => string | null;

/** Returns a simulated server with these properties of a database, and records all programs that run on it. */
function served(head: object, answer: Answer = () => ''): { of: DumpedDatabase; ran: Ran[] } {
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
        const said = answer(one);
        if (said !== null && said !== '') yield Buffer.from(said);
        exited.resolve({ exitCode: said === null ? 1 : 0, stderrTail: said === null ? 'ERROR: refused' : '' });
      }
      return { stdout: Readable.from(answers()), exited: exited.promise };
    },
  };
  const of = {
    engine,
    container: 'one',
    adminPassword: 'secret',
    login: { username: 'app', password: 'word' },
    database: 'shop',
  };
  return { of: { ...of, signal: patience() }, ran };
}

/** Returns whether a program restores a dump. */
const isRestoring = ({ command }: Ran) => command[0] === 'pg_restore' && !command.includes('--list');

const HEAD = { roles: { app: [] }, settings: ['search_path="$user", it\'s'], comment: 'it’s "mine"', things: 20 };

describe('a PostgreSQL dump', () => {
  it('leaves no session at the server if the destination refuses the dump', async () => {
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

  it('contains the database’s settings and comment, and a restore applies them', async () => {
    const { of } = served(HEAD);
    const { head } = await dumping(postgresTool, of, async (dump) => dump);
    const { of: into, ran } = served({});

    await postgresTool.restore(into, Readable.from([]), head);

    const { things: _, ...expected } = HEAD;
    assert.deepEqual(head, expected);
    const last = ran.at(-1)?.said ?? '';
    assert.match(last, /setconfig\)\s+SELECT d\.oid, 0, [^;]*ARRAY\['search_path="\$user", it''s'\]/);
    assert.match(last, /COMMENT ON DATABASE "shop" IS 'it’s "mine"';/);
  });

  it('is preceded by dropping the database, even if the database is a template', async () => {
    const { of, ran } = served({});

    await postgresTool.empty(of);

    const said = ran.map((one) => one.said).join('');
    assert.match(said, /IS_TEMPLATE false.*'shop'[^;]*gexec\nDROP DATABASE IF EXISTS "shop" WITH \(FORCE\);/s);
  });

  it('does not grant administrative roles of the platform or server', async () => {
    const { of, ran } = served({});
    const groups = ['davit_owner', 'davit_admin', 'davit_reader', 'davit_restorer', 'pg_read_server_files', 'staff'];
    const roles = {
      app: groups,
      staff: ['pg_monitor'],
      davit_owner: ['davit_admin'],
      davit_admin: [],
      pg_x: ['staff'],
    };

    await postgresTool.restore(of, Readable.from([]), { roles });

    const said = ran.map((one) => one.said).join('');
    const granted = [...said.matchAll(/SELECT format\('GRANT %I TO %I', '(\w+)', '(\w+)'\)/g)].map(([, a, b]) => [
      a,
      b,
    ]);
    assert.deepEqual(granted, [
      ['davit_owner', 'app'],
      ['staff', 'app'],
    ]);
    assert.doesNotMatch(said, /CREATE ROLE "(davit_admin|pg_x)"/);
  });

  it('uses roles without superuser rights and ignores settings of the database', async () => {
    const { of, ran } = served(HEAD);
    const { head, bytes } = await dumping(postgresTool, of, async (dump) => {
      await Array.fromAsync(dump.bytes);
      await dump.facts();
      return dump;
    });
    assert.ok(bytes);
    await postgresTool.restore(of, Readable.from([]), head);
    await postgresTool.count(of);
    await postgresTool.besides?.(of);
    await postgresTool.empty(of);

    const sessions = ran.filter(({ command }) => command.some((word) => word.startsWith('--username=')));
    for (const { command, env } of sessions) {
      assert.match(env?.PGOPTIONS ?? '', /-c search_path=pg_catalog,pg_temp /, command.join(' '));
      assert.match(env?.PGOPTIONS ?? '', /-c role=none /, command.join(' '));
      assert.equal(env?.PGCLIENTENCODING, 'UTF8');
    }
    const user = ({ command }: Ran) => command.find((word) => word.startsWith('--username='))?.slice(11);
    const users = (is: (one: Ran) => boolean) => [...new Set(ran.filter(is).map(user))];
    assert.deepEqual(
      users(({ said }) => /FROM ONLY|pg_export_snapshot/.test(said)),
      ['davit_reader'],
    );
    assert.deepEqual(
      users(({ command: [name] }) => name === 'pg_dump'),
      ['davit_reader'],
    );
    assert.deepEqual(users(isRestoring), ['davit_restorer']);
  });

  it('removes objects of an app from extensions even if the server refuses an object', async () => {
    const { of, ran } = served(HEAD);

    await dumping(postgresTool, of, async () => undefined);

    const { said = '' } = ran.find((one) => one.said.includes('ALTER EXTENSION')) ?? {};
    assert.match(
      said,
      /^\\set ON_ERROR_STOP 0\nSELECT format\('ALTER EXTENSION [^;]*\\gexec\n\\set ON_ERROR_STOP 1\n$/,
    );
  });

  it('keeps the owners of objects unless a superuser may own objects', async () => {
    for (const [ofAdmin, word] of [
      [false, false],
      [true, true],
      [undefined, true],
    ] as const) {
      const { of, ran } = served({});
      await postgresTool.restore(of, Readable.from([]), ofAdmin === undefined ? {} : { ofAdmin });
      const { command = [] } = ran.find(isRestoring) ?? {};
      assert.equal(command.includes('--no-owner') && command.includes('--role=davit_owner'), word, String(ofAdmin));
    }
  });

  it('is restored in a single transaction with up to 3,000 objects', async () => {
    for (const [things, word] of [
      [3_000, '--single-transaction'],
      [3_001, '--exit-on-error'],
    ] as const) {
      const { of, ran } = served({ ...HEAD, things });
      const { head } = await dumping(postgresTool, of, async (dump) => dump);

      await postgresTool.restore(of, Readable.from([]), head);

      const { command = [] } = ran.find(isRestoring) ?? {};
      assert.ok(command.includes(word), `${things}: ${command.join(' ')}`);
    }
  });

  const LISTED = `;
; Selected TOC Entries:
;
216; 1259 16389 MATERIALIZED VIEW public m davit_owner
217; 1259 16393 MATERIALIZED VIEW public odd  name davit_owner
3449; 0 16389 MATERIALIZED VIEW DATA public m davit_owner
3450; 0 16393 MATERIALIZED VIEW DATA public odd  name davit_owner
3451; 0 16395 TABLE DATA public rows davit_owner
`;
  const VIEWS = [
    { name: 'public.m', owner: 'davit_owner', listed: 'public m ' },
    { name: 'public."odd\n name"', owner: '"the owner"', listed: 'public odd  name ' },
    { name: 'public.never', owner: 'davit_owner', listed: 'public never ' },
  ];
  /** Returns a simulated server on which the refresh of a view succeeds if `isGood` returns `true`. */
  const withViews = (isGood: (statements: string) => boolean) =>
    served({}, ({ command, said }) => {
      if (command.includes('--list')) return LISTED;
      if (said.includes('relispopulated')) return VIEWS.map((view) => `${JSON.stringify(view)}\n`).join('');
      return said.includes('REFRESH') && !isGood(said) ? null : '';
    });
  const refreshes = (ran: readonly Ran[]) => ran.filter(({ said }) => said.includes('REFRESH'));

  it('refreshes materialized views as their owner with the database’s search path', async () => {
    const { of, ran } = withViews(() => true);
    const warnings: string[] = [];

    await postgresTool.restore(
      of,
      Readable.from([Buffer.from('dump')]),
      { settings: ['search_path=shop, public'] },
      (line) => warnings.push(line),
    );

    const { command = [], said = '' } = ran.find(isRestoring) ?? {};
    assert.equal(said, 'dump');
    const [, list] = /^--use-list=(.*)$/.exec(command.find((word) => word.startsWith('--use-list=')) ?? '') ?? [];
    const written = ran.find((one) => one.command.includes(`of=${list}`))?.said ?? '';
    assert.equal(written, LISTED.replaceAll(/^.* MATERIALIZED VIEW DATA .*\n/gm, ''));
    const refreshed = refreshes(ran);
    assert.deepEqual(
      refreshed.map((one) => /^SET ROLE (.*);$/m.exec(one.said)?.[1]),
      ['davit_owner', '"the owner"'],
    );
    for (const one of refreshed) {
      assert.ok(one.command.includes('--username=davit_restorer'));
      assert.match(one.env?.PGOPTIONS ?? '', /-c row_security=on( |$)/);
      assert.match(one.said, /set_config\('search_path', 'shop, public', false\)/);
    }
    assert.deepEqual(warnings, []);
  });

  it('retries failed view refreshes while other refreshes succeed and warns about the rest', async () => {
    let turn = 0;
    const { of, ran } = withViews((said) => {
      turn += 1;
      return said.includes('odd') && turn > 1;
    });
    const warnings: string[] = [];

    await postgresTool.restore(of, Readable.from([]), {}, (line) => warnings.push(line));

    assert.equal(refreshes(ran).length, 3);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /view public[.]m is empty.*: psql .*refused/);
  });

  it('is restored completely with a table of contents of any length', async () => {
    const { of, ran } = served({}, ({ command }) => {
      const isLong = ran.filter((one) => one.command.includes('--list')).length > 1;
      return command.includes('--list') && !isLong ? null : '';
    });
    const pieces = Array.from({ length: 30 }, (_, n) => Buffer.alloc(100_000, n));

    await postgresTool.restore(of, Readable.from(pieces), {});

    assert.equal(ran.find(isRestoring)?.said, Buffer.concat(pieces).toString());
  });

  it('is refused without a table of contents', async () => {
    const { of, ran } = served({}, ({ command }) => (command.includes('--list') ? null : ''));

    await assert.rejects(postgresTool.restore(of, Readable.from([Buffer.from('none')]), {}), { name: 'ToolFailed' });

    assert.ok(!ran.some(isRestoring));
  });

  it('counts only tables and limits the time of the count', async () => {
    const { of, ran } = served(HEAD);

    await dumping(postgresTool, of, (dump) => dump.facts());
    await postgresTool.count(of);

    const counting = ran.filter(({ said }) => said.includes('count(*)') && said.includes('FROM ONLY'));
    assert.equal(counting.length, 2);
    for (const { said, env } of counting) {
      assert.match(said, /count\(\*\) FROM ONLY %I[.]%I TABLESAMPLE SYSTEM \(100\)'/);
      assert.match(env?.PGOPTIONS ?? '', /-c statement_timeout=7200000( |$)/);
    }
  });

  it('counts the rows of a temporary database with several processes', async () => {
    const { of, ran } = served(HEAD);

    await postgresTool.count(of, true);

    const { said = '' } = ran.find((one) => one.said.includes('FROM ONLY')) ?? {};
    assert.match(said, /count\(\*\) FROM ONLY %I[.]%I'/);
  });

  it('ends orphaned sessions and keeps the sessions of running dumps', async () => {
    const { of, ran } = served(HEAD);
    const orphans = () => ran.findLast(({ said }) => said.includes('application_name'))?.said ?? '';

    await dumping(postgresTool, of, async () => {
      const { PGAPPNAME = '' } = ran.find(({ said }) => said.includes('pg_export_snapshot'))?.env ?? {};
      assert.ok(PGAPPNAME !== '');
      await postgresTool.dump({ ...of, signal: AbortSignal.timeout(1_000) });
      assert.match(orphans(), new RegExp(`<> ALL \\(ARRAY\\[[^\\]]*'${PGAPPNAME}'`));
    });
  });

  it('counts each table in a separate transaction with the same snapshot', async () => {
    const { of, ran } = served(HEAD);

    await dumping(postgresTool, of, (dump) => dump.facts());

    const { said = '' } = ran.find((one) => one.said.includes('FROM ONLY')) ?? {};
    const [, begin = '', same = ''] =
      /SELECT 'COMMIT', ('BEGIN [^']+'), ('SET TRANSACTION [^,]+'), format\(/.exec(said) ?? [];
    assert.match(begin, /REPEATABLE READ/);
    assert.match(same, /''00000003-1''/);
  });
});
