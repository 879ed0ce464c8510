/**
 * A PostgreSQL of one GiB, backed up and the backup tried, against who does the same by hand on the machine: `docker exec`
 * with pg_dump into a file outside of the container, which a backup in the database's own volume would not be, and with
 * pg_restore out of it into an empty database; with the same compression. Beside that the instance encrypts, counts the rows
 * on both sides, and makes a whole server for the trial. Both are measured until it is known that the backup is good: what
 * was restored is removed afterwards, by hand and by the instance, whose trial is over a second later.
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
const LOOK_MS = 200;
/** One row has some 260 bytes on disk, half of them random. */
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
const [{ Id: container } = assert.fail('it has no container')] = await instance.docker.listContainers({
  filters: { label },
});
const folder = await mkdtemp(join(tmpdir(), 'davit-by-hand-'));
const file = join(folder, 'main.dump');

const steps: Record<string, number[]> = {};
// In turns, after one of each: the disk is faster where something was before, for who comes second.
const restMib = await residentMib(instance.pid);
await byHand();
await throughInstance();
const rounds: { byHandMs: number; ms: number; highestMib: number }[] = [];
for (let round = 0; round < ROUNDS[form]; round += 1)
  rounds.push({ byHandMs: await byHand(), ...(await watched(throughInstance)) });
const ms = sum(rounds.map((round) => round.ms)) / rounds.length;
const byHandMs = sum(rounds.map((round) => round.byHandMs)) / rounds.length;
const highestMib = Math.max(...rounds.map((round) => round.highestMib));
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
    ok: ratio <= LIMIT && highestMib - restMib <= MEMORY_LIMIT_MIB && backup?.verified?.ok === true,
    details: {
      database_gib: rounded(gib),
      through_the_instance_s: rounded(ms / 1_000),
      by_hand_s: rounded(byHandMs / 1_000),
      with_the_removal_of_the_trial: `${rounded((ms + removalMs) / byHandMs)} ×`,
      rounds: rounds.map((round) => `${rounded(round.ms / 1_000)} and ${rounded(round.byHandMs / 1_000)} s`).join(', '),
      seconds_of_each_step: Object.entries(steps)
        .map(([name, all]) => `${name} ${rounded(sum(all) / all.length)}`)
        .join(', '),
      memory_before_mib: rounded(restMib),
      memory_at_its_highest_mib: rounded(highestMib),
      backup_mib: rounded((backup?.size_bytes ?? 0) / 1024 ** 2),
    },
  },
  form,
);

/** @returns milliseconds */
async function byHand(): Promise<number> {
  await psql(harness, main, 'postgres', 'DROP DATABASE IF EXISTS by_hand;');
  await diskAtRest();
  const began = performance.now();
  await psql(harness, main, 'postgres', 'CREATE DATABASE by_hand;');
  await using to = await open(file, 'w');
  await inContainer(['pg_dump', ...LOGIN, '--format=custom', '--compress=1', '--dbname=main'], 'ignore', to.fd);
  await using from = await open(file);
  await inContainer(['pg_restore', ...LOGIN, '--single-transaction', '--dbname=by_hand'], from.fd, 'inherit');
  return performance.now() - began;
}

async function inContainer(command: string[], stdin: number | 'ignore', stdout: number | 'inherit'): Promise<void> {
  const args = ['exec', '--user=nobody', ...(stdin === 'ignore' ? [] : ['--interactive']), container, ...command];
  const began = performance.now();
  const child = spawn('docker', args, { stdio: [stdin, stdout, 'inherit'] });
  const [code] = await once(child, 'close');
  const tool = `${command[0]} by hand`;
  steps[tool] = [...(steps[tool] ?? []), (performance.now() - began) / 1_000];
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}`);
}

/** What the one has left to be written is not to be waited for by the other. */
async function diskAtRest(): Promise<void> {
  await once(spawn('sync', { stdio: 'inherit' }), 'close');
}

/** @returns milliseconds, up to what is on record of the backup */
async function throughInstance(): Promise<number> {
  await diskAtRest();
  const began = performance.now();
  const query = { wait: 'true' } as const;
  note(await done(instance.client.backUpDatabase({ params, query, body: {} })));
  const [newest] = (await instance.client.listDatabaseBackups({ params })) as Backup[];
  note(await done(instance.client.verifyBackup({ params: { backup: String(newest?.id) }, query })));
  const [removal = 0] = steps.remove?.slice(-1) ?? [];
  return performance.now() - began - removal * 1_000;
}

/** How long each step took, in seconds, each time. */
function note({ steps: taken }: Task): void {
  for (const { name, started_at, finished_at } of taken) {
    const seconds = (Date.parse(finished_at ?? started_at) - Date.parse(started_at)) / 1_000;
    steps[name] = [...(steps[name] ?? []), seconds];
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

async function watched(work: () => Promise<number>) {
  let highestMib = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      highestMib = Math.max(highestMib, await residentMib(instance.pid));
      await delay(LOOK_MS);
    }
  })();
  const ms = await work().finally(() => {
    isDone = true;
  });
  await watching;
  return { highestMib, ms };
}
