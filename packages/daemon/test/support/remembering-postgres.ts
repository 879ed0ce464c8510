import type { MemoryEngine } from '../../src/engine/memory/memory.ts';

/** What the simulated databases of an engine know by themselves: who may log in, and which extensions there are. */
export interface RememberingPostgres {
  /** The names of the logins, sorted. */
  logins(): string[];
  extensions: Set<string>;
  /** The database does not let anybody in from now on, or does again. */
  locked: boolean;
}

const ALL = ['vector', 'pg_trgm', 'pgcrypto', 'hstore', 'cube', 'earthdistance', 'pg_stat_statements'];

/** Gives an engine a `psql` that does what it is told about logins and extensions, for every database alike. */
export function rememberPostgres({ controls }: Pick<MemoryEngine, 'controls'>): RememberingPostgres {
  const logins = new Set<string>();
  const world: RememberingPostgres = { logins: () => [...logins].sort(), extensions: new Set(), locked: false };
  controls.program('psql', async ({ stdin, write, complain }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of stdin) chunks.push(chunk);
    const said = Buffer.concat(chunks).toString();
    for (const [, name = ''] of said.matchAll(/ALTER ROLE "([^"]+)" WITH LOGIN/g)) logins.add(name);
    for (const [, name = ''] of said.matchAll(/DROP ROLE IF EXISTS "([^"]+)"/g)) logins.delete(name);
    for (const [, name = ''] of said.matchAll(/CREATE EXTENSION IF NOT EXISTS "([^"]+)"/g)) world.extensions.add(name);
    if (said.includes('pg_available_extensions')) await write(`${ALL.join('\n')}\n`);
    const [, asked] = /\\connect 'host=127\.0\.0\.1 .*?user=''(.+?)''/.exec(said) ?? [];
    if (asked === undefined || (logins.has(asked) && !world.locked)) return 0;
    complain(`FATAL: password authentication failed for user "${asked}"\n`);
    return 2;
  });
  return world;
}
