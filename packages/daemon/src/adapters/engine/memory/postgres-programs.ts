import type { SimulatedProgram, SimulatedRun } from './simulated-program.ts';

/**
 * Row counts of the tables in simulated PostgreSQL databases. The outer key is the database's volume name, and the
 * inner key is the table name.
 */
export type SimulatedRows = Map<string, Record<string, number>>;

const EXTENSIONS = ['vector', 'pg_trgm', 'pgcrypto', 'hstore', 'citext', 'cube', 'earthdistance', 'pg_stat_statements'];
const BEGINNING = 'PGDMP ';

/**
 * Returns simulated PostgreSQL commands such as `psql`. The simulated server stores only row counts. Tests compare the
 * row counts after a restore.
 */
export function postgresPrograms(rows: SimulatedRows): Record<string, SimulatedProgram> {
  const of = (run: SimulatedRun) => rows.get(serverOf(run)) ?? {};
  return {
    pg_isready: async () => 0,

    async psql(run) {
      // Processes each line of stdin as soon as it arrives, because a `psql` session can stay open.
      for await (const line of linesOf(run.stdin)) {
        if (line.includes('pg_available_extensions')) await run.write(`${EXTENSIONS.join('\n')}\n`);
        else if (line.includes('pg_export_snapshot')) await run.write('00000003-0000001B-1\n');
        else if (line.includes('jsonb_build_object')) await run.write('{}\n');
        else if (line.includes('pg_walfile_name')) await run.write('000000010000000000000002\n');
        else if (line.includes('pg_is_in_recovery')) await run.write('f\n');
        else if (line.startsWith('DROP DATABASE')) rows.delete(serverOf(run));
        else if (line.includes('FROM ONLY')) await run.write(tableLines(of(run)));
        else await run.write(literalOf(line));
      }
      return 0;
    },

    async pg_dump(run) {
      await run.write(`${BEGINNING}${JSON.stringify(of(run))}`);
      return 0;
    },

    async pg_restore(run) {
      /*
       * The caller uses `--list` to find views in the dump. The simulated database has no views, so the output is
       * empty.
       */
      if (run.command.includes('--list')) return 0;
      const dump = Buffer.concat(await Array.fromAsync(run.stdin)).toString();
      if (!dump.startsWith(BEGINNING)) {
        run.complain('pg_restore: error: did not find magic string in file header\n');
        return 1;
      }
      rows.set(serverOf(run), JSON.parse(dump.slice(BEGINNING.length)) as Record<string, number>);
      return 0;
    },

    async pg_basebackup(run) {
      await run.write(JSON.stringify(of(run)));
      return 0;
    },

    /**
     * Simulates the command `tar`, which unpacks a base backup for a second PostgreSQL server in the same container.
     */
    async tar(run) {
      const base = Buffer.concat(await Array.fromAsync(run.stdin)).toString();
      rows.set(secondOf(volumeOf(run)), JSON.parse(base) as Record<string, number>);
      return 0;
    },

    /** Simulates a second PostgreSQL server process. The process does nothing and runs until it is killed. */
    postgres: ({ signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(0), { once: true })),

    async dd({ stdin }) {
      await Array.fromAsync(stdin);
      return 0;
    },
    mkdir: async () => 0,
    /**
     * Simulates `sed` without any effect. Davit uses `sed` only to change the PostgreSQL file `pg_hba.conf`, and the
     * simulated server has no such file.
     */
    sed: async () => 0,
    touch: async () => 0,
    /** Simulates `stat`. The output is always 16 MiB, the size of a complete WAL segment of PostgreSQL. */
    async stat(run) {
      await run.write(`${16 * 1024 * 1024}\n`);
      return 0;
    },
    async rm(run) {
      rows.delete(secondOf(volumeOf(run)));
      return 0;
    },
  };
}

function volumeOf({ container }: SimulatedRun): string {
  return container.volumes[0]?.name ?? '';
}

/**
 * Returns the key of a simulated PostgreSQL server in the map of row counts. The option `--host=` selects the second
 * server of a container.
 */
function serverOf(run: SimulatedRun): string {
  const isSecond = run.command.some((word) => word.startsWith('--host='));
  return isSecond ? secondOf(volumeOf(run)) : volumeOf(run);
}

const secondOf = (volume: string) => `${volume} (second server)`;

function tableLines(tables: Record<string, number>): string {
  return Object.entries(tables)
    .map(([name, count]) => `${name}\t${count}\n`)
    .join('');
}

/** Returns the output of the SQL statement `SELECT 'text';`. Other statements are ignored and have no output. */
function literalOf(line: string): string {
  const [, text] = /^SELECT '([^']*)';$/.exec(line) ?? [];
  return text === undefined ? '' : `${text}\n`;
}

async function* linesOf(stdin: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stdin) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
