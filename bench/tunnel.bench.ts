/**
 * Compares a dump of a PostgreSQL database through `davit tunnel` with the same dump over a direct connection to the
 * address of the container. Both use the same client with TLS, outside of the container of the database. Pairs run in
 * alternating order.
 */
import assert from 'node:assert/strict';
import { DavitFolder } from '../test/support/davit-command.ts';
import { HostClient } from '../test/support/host-client.ts';
import { startInstance } from '../test/support/instance.ts';
import { createdDatabase, pathOf, projectOf, psql } from '../test/support/live-database.ts';
import { comparison, inPairs } from './support/pairs.ts';
import { residentMib } from './support/process-use.ts';
import { conclude, formOf, rounded, say } from './support/result.ts';

/** Maximum ratio of the durations. It corresponds to at least 60 % of the throughput. */
const LIMIT = 1.67;
const PAIRS = { short: 2, usual: 5, long: 15 };
/** A row needs about 160 bytes in a dump. */
const ROWS = { short: 200_000, usual: 2_000_000, long: 2_000_000 };

const form = formOf();
await using instance = await startInstance();
await using folder = await DavitFolder.make(instance);
const harness = { docker: instance.docker, client: instance.client, instance };
const main = await createdDatabase(harness, { project: await projectOf(harness), name: 'main', engine: 'postgres' });
const params = pathOf(main);
await psql(
  harness,
  main,
  'main',
  `SET ROLE davit_owner;
   CREATE TABLE goods AS SELECT n AS id, md5(n::text) || md5(random()::text) AS a, repeat('davit ', 15) AS b
     FROM generate_series(1, ${ROWS[form]}) n;`,
);
const { image } = await instance.client.getDatabase({ params });
const { url, password } = await instance.client.getDatabaseCredentials({ params });
await using client = await HostClient.start(instance.docker, `davit-test-${instance.id}-client`, image);
const tunnel = folder.start(['tunnel', main]);
await tunnel.shows(/127\.0\.0\.1:\d+.*\n/);
const [, through = assert.fail(tunnel.stderr)] = /(postgresql:\S+)\n/.exec(tunnel.stdout) ?? [];
const direct = await directUrl();

const tunnelMs: number[] = [];
const directMs: number[] = [];
const idleMib = await residentMib(instance.pid);
// The first dumps are not counted. After them, the database has its pages in memory.
await dump(through);
await dump(direct);
await inPairs(
  PAIRS[form],
  async () => tunnelMs.push(await dump(through)),
  async () => directMs.push(await dump(direct)),
  [
    ['tunnel', tunnelMs],
    ['direct', directMs],
  ],
);
const memoryMib = (await residentMib(instance.pid)) - idleMib;
tunnel.interrupt();
await tunnel.ended;
say(`the memory of the daemon grew by ${rounded(memoryMib)} MiB`);

await conclude(
  {
    name: 'tunnel',
    promise: 'Dump of PostgreSQL through a tunnel, compared with a direct connection (at least 60 % of its throughput)',
    ...comparison(LIMIT, ['tunnel', tunnelMs], ['direct', directMs], {
      rows: ROWS[form],
      growth_of_the_daemon_mib: rounded(memoryMib),
    }),
  },
  form,
);

/** Returns the URL of the database at the address of its container. */
async function directUrl(): Promise<string> {
  const label = [`davit.instance=${instance.id}`, 'davit.kind=database', `davit.app=${main}`];
  const [container] = await instance.docker.listContainers({ filters: { label } });
  const [network] = Object.values(container?.NetworkSettings.Networks ?? {});
  const to = new URL(url);
  to.password = '';
  to.hostname = network?.IPAddress ?? assert.fail('the database has no address');
  to.searchParams.set('sslmode', 'require');
  return to.href;
}

/**
 * Dumps the database to `/dev/null`.
 * @returns milliseconds
 */
async function dump(from: string): Promise<number> {
  const began = performance.now();
  const { code, stderr } = await client.run(['pg_dump', '--file=/dev/null', from], { PGPASSWORD: password });
  assert.equal(code, 0, stderr);
  return performance.now() - began;
}
