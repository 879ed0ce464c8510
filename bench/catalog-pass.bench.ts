/**
 * A pass over a GitHub of many repositories in which nothing is new: what is asked, how long it takes and how much memory
 * the indexer uses, which runs as the server runs it. First one that knows only what is on disk, as after a restart, then
 * one that remembers how its searches are split.
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
/** From one pass to the next. A pass may take ten seconds less. */
const INTERVAL_S = { short: 20, usual: 75, long: 75 };
const LIMITS = { requests: 250, seconds: 60, mib: 256 };
const LOOK_EVERY_MS = 100;

interface PassFigures {
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
  noteEverything(database);
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
  const first = await pass(indexer, 1);
  const second = await pass(indexer, 2);
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
        from_then_on: { requests: second.requests, seconds: rounded(second.seconds) },
        peak_memory_mib: rounded(worst.mib),
        asked_after_a_restart: first.operations,
        host: 'a server of ours in another process',
      },
    },
    form,
  );
} finally {
  server.disconnect();
  await rm(folder, { recursive: true });
}

/** What an indexer would have recorded of that GitHub. */
function noteEverything(database: string): void {
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

/** The n-th pass of an indexer, to its end. */
async function pass(indexer: IndexerChild, n: number): Promise<PassFigures> {
  const { pid = 0 } = indexer.child;
  let peakMib = 0;
  const look = async () => {
    peakMib = Math.max(peakMib, await residentMib(pid));
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  const line = await indexer.until(`the end of pass ${n}`, ({ lines }) => lines.filter(hasEnded)[n - 1]);
  clearInterval(timer);
  const { took_ms, accepted, rejected, hidden, failed } = line as LogLine & Record<string, number>;
  if (accepted || rejected || hidden || failed) throw new Error(`something was new: ${JSON.stringify(line)}`);
  const { operations, mostAtOnce } = await readOperations();
  const requests = Object.values(operations).reduce((sum, one) => sum + one, 0);
  const seconds = (took_ms ?? Number.NaN) / 1000;
  say(`pass ${n}: ${requests} requests, ${rounded(seconds)} s, ${rounded(peakMib)} MiB, ${mostAtOnce} at once`);
  return { requests, seconds, peakMib, operations };
}

function hasEnded({ msg }: LogLine): boolean {
  if (msg.startsWith('a pass ended early')) throw new Error(msg);
  return msg === 'indexing run finished';
}

function readOperations(): Promise<Extract<GitHubServerMessage, { kind: 'asked' }>> {
  const answer = nextMessage(server, 'asked');
  server.send('what was asked');
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
