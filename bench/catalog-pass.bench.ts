/**
 * Measures an indexing run over 10,000 unchanged repositories on a simulated GitHub: the requests to GitHub, the
 * duration, and the memory of the indexer. In the first run, the indexer has only its database, as after a restart. In
 * the second run, the indexer also remembers how it split its searches. The indexer runs in a separate process, as in
 * production.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogConfig } from '../packages/catalog/src/config/config.ts';
import type { SourceRelease } from '../packages/catalog/src/source/source.ts';
import { openRecords } from '../packages/catalog/src/store/records.ts';
import { IndexerChild, type LogLine } from '../packages/catalog/test/support/indexer-child.ts';
import { SAMPLE_PASS, sampleAccepted, sampleRepository } from '../packages/catalog/test/support/sample-store.ts';
import { VALIDATOR_VERSION } from '../packages/template/src/index.ts';
import type { SimulatedRepository } from '../packages/testkit/src/github/github.ts';
import type { GitHubServerMessage } from './support/github-server.ts';
import { manyRepositories } from './support/many-repositories.ts';
import { residentMib } from './support/process-use.ts';
import { conclude, formOf, rounded, say } from './support/result.ts';

const REPOSITORIES = { short: 1_500, usual: 10_000, long: 10_000 };
/** Seconds from the start of a run to the start of the next. A run must end ten seconds before that. */
const INTERVAL_S = { short: 20, usual: 75, long: 75 };
const LIMITS = { requests: 250, seconds: 60, mib: 256 };
const MEMORY_POLL_MS = 100;

interface RunFigures {
  requests: number;
  seconds: number;
  peakMib: number;
  operations: Record<string, number>;
}

const form = formOf();
const count = REPOSITORIES[form];
const folder = await mkdtemp(join(tmpdir(), 'davit-bench-'));
const server = fork(join(import.meta.dirname, 'support', 'github-server.ts'), [String(count)]);
try {
  const { url, token } = await nextMessage(server, 'listening');
  const database = join(folder, 'catalog.db');
  recordEverything(database);
  const config: CatalogConfig = {
    listen: { host: '127.0.0.1', port: 0 },
    dataDir: folder,
    url: 'http://127.0.0.1',
    source: { kind: 'github', baseUrl: url, token },
    topics: ['davit-template', 'cubeship-template'],
    verifiedOwners: [],
    intervalS: INTERVAL_S[form],
    logLevel: 'info',
  };
  await using indexer = new IndexerChild(config, database);
  const first = await waitForRun(indexer, 1);
  const second = await waitForRun(indexer, 2);
  const worst = {
    requests: Math.max(first.requests, second.requests),
    seconds: Math.max(first.seconds, second.seconds),
    mib: Math.max(first.peakMib, second.peakMib),
  };
  await conclude(
    {
      name: 'catalog-pass',
      promise: `Requests of an indexing run over ${count} unchanged repositories on GitHub`,
      limit: `≤ ${LIMITS.requests} requests, ≤ ${LIMITS.seconds} s, ≤ ${LIMITS.mib} MiB`,
      value: worst.requests,
      unit: 'requests',
      ok: worst.requests <= LIMITS.requests && worst.seconds <= LIMITS.seconds && worst.mib <= LIMITS.mib,
      details: {
        after_a_restart: { requests: first.requests, seconds: rounded(first.seconds) },
        in_later_runs: { requests: second.requests, seconds: rounded(second.seconds) },
        peak_memory_mib: rounded(worst.mib),
        requests_after_a_restart: first.operations,
        host: 'simulated GitHub in a separate process',
      },
    },
    form,
  );
} finally {
  server.disconnect();
  await rm(folder, { recursive: true });
}

/** Writes all repositories and releases to the database, as an earlier run of the indexer would have done. */
function recordEverything(database: string): void {
  using records = openRecords(database);
  records.together(() => {
    for (const repository of manyRepositories(count).all()) {
      const { id, nodeId, owner, name, stars, topics } = repository;
      records.saveRepository(sampleRepository(id, { nodeId, owner: owner.login, name, stars, topics }), null);
      for (const release of releasesOf(repository)) {
        records.saveRelease(id, release, sampleAccepted(), VALIDATOR_VERSION);
      }
    }
    records.saveIcon('a'.repeat(64), new Uint8Array(1_024));
  });
  records.publish(SAMPLE_PASS);
}

function releasesOf({ releases }: SimulatedRepository): SourceRelease[] {
  return releases.map(({ tag, commit, createdAt }) => ({
    ...{ tag, name: tag, url: 'https://github.com/', commit: commit ?? '', publishedAt: createdAt },
  }));
}

/** Waits for the end of the n-th run of the indexer, and returns its figures. */
async function waitForRun(indexer: IndexerChild, n: number): Promise<RunFigures> {
  const { pid = 0 } = indexer.child;
  let peakMib = 0;
  const pollMemory = async () => {
    peakMib = Math.max(peakMib, await residentMib(pid));
  };
  const timer = setInterval(() => void pollMemory(), MEMORY_POLL_MS);
  const line = await indexer.until(`the end of indexing run ${n}`, ({ lines }) => lines.filter(hasEnded)[n - 1]);
  clearInterval(timer);
  const { took_ms, accepted, rejected, hidden, failed } = line as LogLine & Record<string, number>;
  if (accepted || rejected || hidden || failed) throw new Error(`the run found changes: ${JSON.stringify(line)}`);
  const { operations, mostAtOnce } = await readOperations();
  const requests = Object.values(operations).reduce((sum, one) => sum + one, 0);
  const seconds = (took_ms ?? Number.NaN) / 1000;
  say(`run ${n}: ${requests} requests, ${mostAtOnce} at once, ${rounded(seconds)} s, ${rounded(peakMib)} MiB`);
  return { requests, seconds, peakMib, operations };
}

function hasEnded({ msg }: LogLine): boolean {
  if (msg.startsWith('indexing run failed')) throw new Error(msg);
  return msg === 'indexing run finished';
}

function readOperations(): Promise<Extract<GitHubServerMessage, { kind: 'report' }>> {
  const answer = nextMessage(server, 'report');
  server.send('report');
  return answer;
}

async function nextMessage<Kind extends GitHubServerMessage['kind']>(
  process: ChildProcess,
  kind: Kind,
): Promise<Extract<GitHubServerMessage, { kind: Kind }>> {
  for (;;) {
    const [message] = (await once(process, 'message')) as [GitHubServerMessage];
    if (message.kind === kind) return message as Extract<GitHubServerMessage, { kind: Kind }>;
  }
}
