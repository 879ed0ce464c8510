import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { createLogger } from '@davit/service';
import type { CatalogConfig } from '../src/config/config.ts';
import type { PassOutcome } from '../src/indexer/indexer.ts';
import { runPasses } from '../src/indexer/loop.ts';
import { startIndexerProcess } from '../src/indexer/process.ts';
import { openReader } from '../src/store/reader.ts';
import { GitFolder } from './support/git-folder.ts';
import { IndexerChild } from './support/indexer-child.ts';
import { releaseOf } from './support/indexer-harness.ts';

const PROCESS = new URL('../src/indexer/process.ts', import.meta.url);

describe('the indexer process', () => {
  let folder: GitFolder;
  let config: CatalogConfig;
  let database: string;

  before(async () => {
    folder = await GitFolder.make();
    await folder.release('acme/demo', releaseOf('v1'));
    database = join(folder.path, 'catalog.db');
    config = {
      listen: { host: '127.0.0.1', port: 0 },
      dataDir: folder.path,
      url: 'http://127.0.0.1',
      source: { kind: 'dir', path: folder.path },
      topics: ['davit-template'],
      verifiedOwners: [],
      intervalS: 300,
      logLevel: 'error',
    };
  });
  after(() => folder[Symbol.asyncDispose]());

  it('starts a pass immediately and reports its result', async () => {
    await using indexer = new IndexerChild(config, database);
    const { report, index } = await indexer.message('pass');
    assert.deepEqual([report.repositories, report.error, index], [1, null, 1]);
    using reader = openReader(database);
    assert.equal(reader.template('acme', 'demo')?.release.tag, 'v1');
  });

  it('refuses to start if another indexer uses the data directory', async () => {
    await using first = new IndexerChild(config, database);
    await first.message('pass');
    await using second = new IndexerChild(config, database);
    const { reason } = await second.message('refused');
    assert.match(reason, /^Another indexer uses the data directory .+\.$/);
    await second.ended();
    assert.equal(second.child.exitCode, 1);
    assert.ok(first.isAlive);
  });

  it('refuses a database that cannot be opened', async () => {
    const broken = join(folder.path, 'broken.db');
    await writeFile(broken, 'no database '.repeat(1000));
    await using indexer = new IndexerChild(config, broken);
    assert.match((await indexer.message('refused')).reason, /broken\.db/);
  });

  for (const how of ['a message', 'SIGTERM', 'the end of the channel'] as const) {
    it(`exits with code 0 after ${how}`, async () => {
      await using indexer = new IndexerChild(config, database);
      await indexer.message('pass');
      if (how === 'SIGTERM') indexer.child.kill('SIGTERM');
      else if (how === 'a message') indexer.tell({ kind: 'stop' });
      else indexer.child.disconnect();
      await indexer.ended();
      assert.deepEqual([indexer.child.exitCode, indexer.child.signalCode], [0, null]);
    });
  }

  it('exits when the server process is killed', async () => {
    const program = join(folder.path, 'server.mjs');
    await writeFile(
      program,
      `import { startIndexerProcess } from ${JSON.stringify(PROCESS.href)};
       const log = { error: () => undefined };
       startIndexerProcess({ ...${JSON.stringify({ config, database })}, log,
         onPass: () => process.send('pass'), onRefused: process.send });`,
    );
    const server = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    assert.deepEqual(await once(server, 'message'), ['pass', undefined]);
    const [child = ''] = (await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')).trim().split(' ');
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
    await hasEnded(Number(child));
  });

  it('is restarted after being killed, and the end is logged', async () => {
    const passes: number[] = [];
    let notifyPass: () => void = () => undefined;
    const nextPass = () => new Promise<void>((resolve) => (notifyPass = resolve));
    const onPass = () => notifyPass();
    const log = createLogger({ level: 'error', destination: { write: (line) => void passes.push(line.length) } });
    const first = nextPass();
    await using _indexer = startIndexerProcess({ config, database, log, onPass, onRefused: assert.fail });
    await first;
    const [child] = await childrenOf(process.pid);
    assert.ok(child);
    const second = nextPass();
    process.kill(child, 'SIGKILL');
    await second;
    assert.equal(passes.length, 1, 'the indexing run is in the log');
  });
});

describe('runPasses', () => {
  let stopping: AbortController;
  beforeEach(() => {
    stopping = new AbortController();
  });
  afterEach(() => stopping.abort());

  it('runs passes sequentially, starting immediately, until the signal is aborted', async () => {
    let underWay = 0;
    const outcomes: PassOutcome[] = [];
    const passOnce = async (): Promise<PassOutcome> => {
      underWay += 1;
      assert.equal(underWay, 1);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return { index: outcomes.length, report: REPORT };
    };
    const onPass = (outcome: PassOutcome) => {
      outcomes.push(outcome);
      if (outcomes.length === 3) stopping.abort();
    };
    await runPasses({ indexer: { passOnce }, intervalS: 0, signal: stopping.signal, onPass });
    assert.equal(outcomes.length, 3);
  });
});

const REPORT = {
  startedAt: '',
  finishedAt: '',
  repositories: 0,
  accepted: 0,
  rejected: 0,
  hidden: 0,
  failed: 0,
  error: null,
};

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}

/** Waits until the process no longer exists. The timeout of the test ends an endless wait. */
async function hasEnded(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
