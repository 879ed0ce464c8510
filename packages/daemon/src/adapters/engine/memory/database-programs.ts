import type { SimulatedProgram } from './simulated-program.ts';

/**
 * The programs of databases, as far as an instance needs them for a database to be there: each takes what it is told and says
 * that it is well. Nothing is kept; who wants a database that remembers defines a program of his own.
 */
export const DATABASE_PROGRAMS: Record<string, SimulatedProgram> = {
  pg_isready: async () => 0,
  /** Its image has every extension that is asked for. */
  async psql({ stdin, write }) {
    if ((await textOf(stdin)).includes('pg_available_extensions')) await write(`${AVAILABLE.join('\n')}\n`);
    return 0;
  },
  tee: takes,

  async mariadb(run) {
    if (/\bSELECT 1;/.test(await textOf(run.stdin)) || run.command.includes('--execute=SELECT 1'))
      await run.write('1\n');
    return 0;
  },
  mysql: (run) => (DATABASE_PROGRAMS.mariadb as SimulatedProgram)(run),

  async 'redis-cli'({ stdin, write }) {
    for (const line of (await textOf(stdin)).split('\n').filter((text) => text !== '')) {
      if (line === 'PING') await write('PONG\n');
      else if (line === 'ACL USERS') await write('davit_admin\ndefault\n');
      else if (line === 'CLIENT ID') await write('7\n');
      else if (line === 'CLIENT LIST') await write('id=7 addr=127.0.0.1:51234 name= user=davit_admin\n');
      else await write(line.startsWith('ACL DELUSER') ? '1\n' : 'OK\n');
    }
    return 0;
  },

  /** A script says at its end that it came there. */
  async mongosh({ stdin, write }) {
    for (const [, said] of (await textOf(stdin)).matchAll(/print\("([^"]*)"\)/g)) await write(`${said}\n`);
    return 0;
  },
};

const AVAILABLE = ['vector', 'pg_trgm', 'pgcrypto', 'hstore', 'citext', 'cube', 'earthdistance', 'pg_stat_statements'];

/** Reads everything and has nothing to say. */
async function takes({ stdin }: Parameters<SimulatedProgram>[0]): Promise<number> {
  await textOf(stdin);
  return 0;
}

async function textOf(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
