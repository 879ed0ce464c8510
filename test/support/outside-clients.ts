/** Real database clients outside the environment that run the connection lines of an exposed database. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { DatabaseCredentials } from '@davit/api';
import { type ClientRun, HostClient } from './host-client.ts';
import { pathOf } from './live-database.ts';
import type { LiveHarness } from './live-harness.ts';

export type Exposed = NonNullable<DatabaseCredentials['exposed']>;

const ROOT = join(import.meta.dirname, '../..');
/** Folders of the libraries. The code of the clients runs in another folder. */
export const NODE_PATH = [join(ROOT, 'node_modules'), join(ROOT, 'packages/testkit/node_modules')].join(delimiter);
/** Folder in the container that each user may write. */
const IN_CONTAINER = '/dev/shm';
/** Time limit of a client, which could otherwise reconnect forever. */
const LIMIT_MS = 60_000;

/** Programs of Debian, with the arguments that make them calculate 42. */
const PROGRAMS: Record<string, string> = {
  psql: "-XAtc 'select 6 * 7'",
  mariadb: "-NBe 'select 6 * 7'",
  'redis-cli': 'ECHO 42',
};

/** Code around the line of a library. The code prints 42, or ends with an error. */
const LIBRARIES: Record<string, (line: string) => string> = {
  'node-postgres (pg)': (line) => `
    const pg = require('pg');
    const client = ${line};
    client.connect().then(() => client.query('select 6 * 7 as n')).then(({ rows }) => {
      console.log(rows[0].n);
      return client.end();
    });`,
  ioredis: (line) => `
    const { Redis } = require('ioredis');
    const { readFileSync } = require('node:fs');
    const redis = ${line};
    redis.on('error', ({ message }) => { console.error(message); process.exit(1); });
    redis.echo('42').then((n) => { console.log(n); redis.disconnect(); });`,
  mysql2: (line) => `
    const mysql = require('mysql2/promise');
    const { readFileSync } = require('node:fs');
    ${line}.then(async (connection) => {
      const [rows] = await connection.query('select 6 * 7 as n');
      console.log(rows[0].n);
      await connection.end();
    });`,
  'Prisma Client': (line) => `
    const { PrismaPg } = require('@prisma/adapter-pg');
    const { PrismaMariaDb } = require('@prisma/adapter-mariadb');
    const { readFileSync } = require('node:fs');
    ${line}.connect().then(async (database) => {
      const { rows } = await database.queryRaw({ sql: 'select 6 * 7 as n', args: [], argTypes: [] });
      console.log(String(rows[0][0]));
      await database.dispose();
    });`,
};

/** Code around the printed address of PostgreSQL for TypeORM. The code prints 42, or ends with an error. */
const typeormCode = (url: string) => `
    require('reflect-metadata');
    const { DataSource } = require('typeorm');
    const source = new DataSource({ type: 'postgres', url: ${JSON.stringify(url)} });
    source.initialize().then(() => source.query('select 6 * 7 as n')).then(([{ n }]) => {
      console.log(n);
      return source.destroy();
    });`;

/** Names of the clients whose lines these tests can run. The others have no command line or are not installed. */
export const RUNNABLE = [...Object.keys(PROGRAMS), ...Object.keys(LIBRARIES)];

/** A folder of a user with the CA file, and a container with the clients of the database's image. */
export class OutsideClients implements AsyncDisposable {
  readonly folder: string;
  readonly #caFile: string;
  readonly #programs: HostClient;

  private constructor(folder: string, caFile: string, programs: HostClient) {
    this.folder = folder;
    this.#caFile = caFile;
    this.#programs = programs;
  }

  static async start(harness: LiveHarness, reference: string, { ca_file }: Exposed): Promise<OutsideClients> {
    const { image, engine } = await harness.client.getDatabase({ params: pathOf(reference) });
    const name = `davit-test-${harness.instance.id}-outside-${engine}`;
    const programs = await HostClient.start(harness.docker, name, image);
    return new OutsideClients(await mkdtemp(join(tmpdir(), 'davit-outside-')), ca_file, programs);
  }

  /** Saves a CA certificate under the printed name. */
  async saveCa(certificate: string): Promise<void> {
    await writeFile(join(this.folder, this.#caFile), certificate);
    await this.#programs.run(['sh', '-c', `cat > ${IN_CONTAINER}/${this.#caFile}`], {}, certificate);
  }

  /** Runs a printed line in the folder with the CA file, and lets the client calculate 42. */
  run({ client, line }: Exposed['clients'][number]): Promise<ClientRun> {
    const library = LIBRARIES[client];
    if (library !== undefined) return this.node(library(line));
    return this.#programs.run(['sh', '-c', `cd ${IN_CONTAINER} && ${line} ${PROGRAMS[client]}`], {});
  }

  /** Lets TypeORM calculate 42 with the printed address of a PostgreSQL database. */
  typeorm(url: string): Promise<ClientRun> {
    return this.node(typeormCode(url));
  }

  /**
   * Lets drizzle-kit read the tables of a PostgreSQL database with the printed address.
   * @returns the run, with the written schema as its output
   */
  async drizzleKit(url: string): Promise<ClientRun> {
    const config = { dialect: 'postgresql', dbCredentials: { url }, out: 'drizzle' };
    await writeFile(join(this.folder, 'drizzle.config.cjs'), `module.exports = ${JSON.stringify(config)};`);
    const run = await this.#run([
      join(ROOT, 'node_modules/drizzle-kit/bin.cjs'),
      'pull',
      '--config=drizzle.config.cjs',
    ]);
    const schema = await readFile(join(this.folder, 'drizzle/schema.ts'), 'utf8').catch(() => '');
    return { ...run, stdout: schema, stderr: run.stdout + run.stderr };
  }

  /** Runs code that can load the libraries, in the folder with the CA file. */
  node(code: string): Promise<ClientRun> {
    return this.#run(['-e', code]);
  }

  async #run(args: string[]): Promise<ClientRun> {
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: { PATH: process.env.PATH, NODE_PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code: exitCode, stdout, stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    await this.#programs[Symbol.asyncDispose]();
  }
}
