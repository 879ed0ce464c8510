/**
 * Measures the backup of a PostgreSQL database of 1 GiB and its verification by a restore, and compares them with
 * manual commands. By hand, `docker exec` runs pg_dump into a file on the host. A file in the volume of the database
 * would not be a backup. Then pg_restore reads the file into an empty database. Both use the same compression.
 * The instance additionally encrypts the backup, counts the rows on both sides, and starts a separate server for the
 * restore. Both times end when the backup is known to be restorable. The removal of the restored data is not counted.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Backup, Task } from '@davit/api';
import { startInstance } from '../test/support/instance.ts';
import { createdDatabase, done, pathOf, projectOf, psql } from '../test/support/live-database.ts';
import { residentMib } from './support/process-use.ts';
import { conclude, formOf, rounded, say } from './support/result.ts';

const LIMIT = 1.2;
const MEMORY_LIMIT_MIB = 64;
const MEMORY_POLL_MS = 200;
/** A row needs about 260 bytes on disk. Half of them are random, so that they do not compress. */
const ROWS = { short: 400_000, usual: 4_000_000, long: 4_000_000 };
const ROUNDS = { short: 1, usual: 3, long: 5 };
const LOGIN = ['--username=davit_admin'];

const form = formOf();
await using instance = await startInstance({});
const harness = { docker: instance.docker, client: instance.client, instance };
const project = await projectOf(harness);
const main = await createdDatabase(harness, { project, name: 'main', engine: 'postgres' });
const params = pathOf(main);
await psql(
  harness,
  main,
  'main',
  `CREATE TABLE goods (id int PRIMARY KEY, a text, b text, at timestamptz DEFAULT now());
   INSERT INTO goods (id, a, b) SELECT n, md5(n::text) || md5(random()::text), repeat('davit ', 20) FROM generate_series(1, ${ROWS[form]}) n;
   CHECKPOINT;`,
);
const [gib = 0] = [Number(await psql(harness, main, 'main', "SELECT pg_database_size('main');")) / 1024 ** 3];
say(`${rounded(gib)} GiB in the database`);

const label = [`davit.instance=${instance.id}`, 'davit.kind=database', `davit.app=${main}`];
const [{ Id: container } = assert.fail('the database has no container')] = await instance.docker.listContainers({
  filters: { label },
});
const folder = await mkdtemp(join(tmpdir(), 'davit-by-hand-'));
const file = join(folder, 'main.dump');

const steps: Record<string, number[]> = {};
const idleMib = await residentMib(instance.pid);
// The first two runs are not counted, because the first write to disk space is slower than later writes.
await byHand();
await throughInstance();
const rounds: { byHandMs: number; ms: number; peakMib: number }[] = [];
for (let round = 0; round < ROUNDS[form]; round += 1)
  rounds.push({ byHandMs: await byHand(), ...(await watched(throughInstance)) });
const ms = sum(rounds.map((round) => round.ms)) / rounds.length;
const byHandMs = sum(rounds.map((round) => round.byHandMs)) / rounds.length;
const peakMib = Math.max(...rounds.map((round) => round.peakMib));
const ratio = ms / byHandMs;
const removalMs = (sum(steps.remove ?? []) / (steps.remove?.length ?? 1)) * 1_000;
await rm(folder, { recursive: true });
const [backup] = (await instance.client.listDatabaseBackups({ params })) as Backup[];

await conclude(
  {
    name: 'backup',
    promise: 'Backup and verified restore of PostgreSQL, compared with pg_dump and pg_restore',
    limit: `≤ ${LIMIT} ×, daemon + ≤ ${MEMORY_LIMIT_MIB} MiB`,
    value: rounded(ratio),
    unit: '×',
    ok: ratio <= LIMIT && peakMib - idleMib <= MEMORY_LIMIT_MIB && backup?.verified?.ok === true,
    details: {
      database_gib: rounded(gib),
      through_the_instance_s: rounded(ms / 1_000),
      by_hand_s: rounded(byHandMs / 1_000),
      with_the_removal_of_the_restored_server: `${rounded((ms + removalMs) / byHandMs)} ×`,
      rounds: rounds.map((round) => `${rounded(round.ms / 1_000)} and ${rounded(round.byHandMs / 1_000)} s`).join(', '),
      seconds_of_each_step: Object.entries(steps)
        .map(([name, all]) => `${name} ${rounded(sum(all) / all.length)}`)
        .join(', '),
      memory_before_mib: rounded(idleMib),
      peak_memory_mib: rounded(peakMib),
      backup_mib: rounded((backup?.size_bytes ?? 0) / 1024 ** 2),
    },
  },
  form,
);

/**
 * Dumps the database to a file and restores the file into an empty database, with `docker exec`.
 * @returns milliseconds
 */
async function byHand(): Promise<number> {
  await syncDisk();
  const began = performance.now();
  await psql(harness, main, 'postgres', 'CREATE DATABASE by_hand;');
  await using to = await open(file, 'w');
  await inContainer(['pg_dump', ...LOGIN, '--format=custom', '--compress=1', '--dbname=main'], 'ignore', to.fd);
  await using from = await open(file);
  await inContainer(['pg_restore', ...LOGIN, '--single-transaction', '--dbname=by_hand'], from.fd, 'inherit');
  const ms = performance.now() - began;
  // PostgreSQL vacuums the new rows within a minute. Without them, the vacuum does not slow down the next measurement.
  await psql(harness, main, 'postgres', 'DROP DATABASE by_hand;');
  return ms;
}

async function inContainer(command: string[], stdin: number | 'ignore', stdout: number | 'inherit'): Promise<void> {
  const args = ['exec', '--user=nobody', ...(stdin === 'ignore' ? [] : ['--interactive']), container, ...command];
  const began = performance.now();
  const child = spawn('docker', args, { stdio: [stdin, stdout, 'inherit'] });
  const [code] = await once(child, 'close');
  const tool = `${command[0]} by hand`;
  steps[tool] = [...(steps[tool] ?? []), (performance.now() - began) / 1_000];
  if (code !== 0) throw new Error(`${command[0]} ended with exit code ${code}`);
}

/** Writes pending data to the disk, so that no measurement waits for writes of the previous one. */
async function syncDisk(): Promise<void> {
  await once(spawn('sync', { stdio: 'inherit' }), 'close');
}

/**
 * Backs up and verifies the database through the API.
 * @returns milliseconds until the result is stored, without the step `remove`
 */
async function throughInstance(): Promise<number> {
  await syncDisk();
  const began = performance.now();
  const query = { wait: 'true' } as const;
  recordSteps(await done(instance.client.backUpDatabase({ params, query, body: {} })));
  const [newest] = (await instance.client.listDatabaseBackups({ params })) as Backup[];
  recordSteps(await done(instance.client.verifyBackup({ params: { backup: String(newest?.id) }, query })));
  const [removal = 0] = steps.remove?.slice(-1) ?? [];
  return performance.now() - began - removal * 1_000;
}

/** Records the duration of each step of a task, in seconds. */
function recordSteps({ steps: taken }: Task): void {
  for (const { name, started_at, finished_at } of taken) {
    const seconds = (Date.parse(finished_at ?? started_at) - Date.parse(started_at)) / 1_000;
    steps[name] = [...(steps[name] ?? []), seconds];
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** Runs a measurement, and records the maximum memory of the daemon meanwhile. */
async function watched(work: () => Promise<number>) {
  let peakMib = 0;
  let isDone = false;
  const polling = (async () => {
    while (!isDone) {
      peakMib = Math.max(peakMib, await residentMib(instance.pid));
      await delay(MEMORY_POLL_MS);
    }
  })();
  const ms = await work().finally(() => {
    isDone = true;
  });
  await polling;
  return { peakMib, ms };
}
