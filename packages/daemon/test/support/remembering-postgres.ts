import type { MemoryEngine } from '../../src/adapters/engine/memory/memory.ts';

/** Simulated databases of an engine: their logins and extensions. */
export interface RememberingPostgres {
  /** Returns the names of the logins, sorted. */
  logins(): string[];
  /** Returns the names of the logins, and of ended logins that the server still has, sorted. */
  roles(): string[];
  extensions: Set<string>;
  /** Whether the database refuses all logins. */
  locked: boolean;
  /** Errors of operations on logins: `end` occurs after a login has ended, `remove` occurs instead of the removal. */
  refusals: { end?: string; remove?: string };
  /** Containers in which a session holds a lock, with a pattern for the statements that need the lock. */
  held: { words: RegExp; containers: readonly string[] };
  /** Users that the access rules admitted when a command reached a server, newest last. */
  admitted: string[];
}

const ALL = ['vector', 'pg_trgm', 'pgcrypto', 'hstore', 'cube', 'earthdistance', 'pg_stat_statements'];

/** Adds a `psql` to an engine that applies statements about logins and extensions. All databases share its state. */
export function rememberPostgres({ controls }: Pick<MemoryEngine, 'controls'>): RememberingPostgres {
  const logins = new Set<string>();
  /** Logins, and ended logins that the server still has. */
  const roles = new Set<string>();
  const rules = new Map<string, string>();
  const state: RememberingPostgres = {
    logins: () => [...logins].sort(),
    roles: () => [...roles].sort(),
    extensions: new Set(),
    locked: false,
    refusals: {},
    held: { words: /$^/, containers: [] },
    admitted: [],
  };
  controls.program('sed', async ({ command, container }) => {
    rules.set(container.id, /all "([^ ]+)" scram/.exec(command.join(' '))?.[1] ?? '');
    return 0;
  });
  controls.program('psql', async ({ stdin, write, complain, container }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stdin) chunks.push(chunk);
    const said = Buffer.concat(chunks).toString();
    const file = container.files.find(({ path }) => path === '/etc/davit/pg_hba.conf');
    const first = /^hostssl all "([^ ]+)"/m.exec(Buffer.from(file?.bytes ?? '').toString())?.[1] ?? '';
    state.admitted.push((rules.get(container.id) ?? first).replaceAll('"', ''));
    if (state.held.words.test(said) && state.held.containers.includes(container.id)) {
      complain('ERROR:  canceling statement due to lock timeout\n');
      return 3;
    }
    for (const [, name = ''] of said.matchAll(/ALTER ROLE "(?!davit_)([^"]+)" WITH LOGIN/g)) {
      logins.add(name);
      roles.add(name);
    }
    for (const [, name = ''] of said.matchAll(/ALTER ROLE "([^"]+)" WITH NOLOGIN/g)) logins.delete(name);
    for (const [, name = ''] of said.matchAll(/DROP ROLE IF EXISTS "([^"]+)"/g)) logins.delete(name);
    const [, names = ''] = /unnest\(ARRAY\[(.*?)\]::name\[\]\)/.exec(said) ?? [];
    for (const [, name = ''] of names.matchAll(/'([^']+)'/g)) state.extensions.add(name);
    const refusal =
      (said.includes('WITH NOLOGIN PASSWORD NULL') && state.refusals.end) ||
      (said.includes('DROP ROLE') && state.refusals.remove);
    if (refusal) {
      complain(`ERROR:  ${refusal}\n`);
      return 3;
    }
    for (const [, name = ''] of said.matchAll(/DROP ROLE IF EXISTS "([^"]+)"/g)) roles.delete(name);
    const [, listed = ''] = /'role', rolname\).* IN \((.*?)\)/.exec(said) ?? [];
    for (const role of roles) if (listed.includes(`'${role}'`)) await write(`${JSON.stringify({ role })}\n`);
    if (said.includes('pg_available_extensions')) await write(`${ALL.join('\n')}\n`);
    const [, requestedUser] = /\\connect 'host=127\.0\.0\.1 .*?user=\\'(.+?)\\'/.exec(said) ?? [];
    if (requestedUser === undefined || (logins.has(requestedUser) && !state.locked)) return 0;
    complain(`FATAL: password authentication failed for user "${requestedUser}"\n`);
    return 2;
  });
  return state;
}
