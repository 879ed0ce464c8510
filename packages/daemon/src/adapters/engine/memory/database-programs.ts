import type { SimulatedProgram } from './simulated-program.ts';

/**
 * Simulated database programs that read their input and report success, but store no data. Tests that need stored data
 * define other programs.
 */
export const DATABASE_PROGRAMS: Record<string, SimulatedProgram> = {
  pg_isready: async () => 0,
  /** The simulated PostgreSQL server reports every extension that a user can request as available. */
  async psql({ stdin, write }) {
    if ((await textOf(stdin)).includes('pg_available_extensions')) await write(`${AVAILABLE.join('\n')}\n`);
    return 0;
  },
  cp: takes,
  tee: takes,
  mv: takes,

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
      else if (line === 'ROLE') await write('master\n');
      else if (line === 'CLIENT LIST') await write('id=7 addr=127.0.0.1:51234 name= user=davit_admin\n');
      else await write(line.startsWith('ACL DELUSER') ? '1\n' : 'OK\n');
    }
    return 0;
  },

  /**
   * Simulates `mongosh`. The simulation prints only the texts of `print` calls. Davit's scripts print a text at their
   * end, and the caller checks this text.
   */
  async mongosh({ stdin, write }) {
    for (const [, said] of (await textOf(stdin)).matchAll(/print\("([^"]*)"\)/g)) await write(`${said}\n`);
    return 0;
  },
};

const AVAILABLE = ['vector', 'pg_trgm', 'pgcrypto', 'hstore', 'citext', 'cube', 'earthdistance', 'pg_stat_statements'];

async function takes({ stdin }: Parameters<SimulatedProgram>[0]): Promise<number> {
  await textOf(stdin);
  return 0;
}

async function textOf(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
