import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { openReader } from '../src/store/reader.ts';
import type { CatalogReader } from '../src/store/types.ts';
import { everything, temporaryFolder } from './support/sample-store.ts';

const TEMPLATES = 40;
const KILLS = process.env.DAVIT_TEST_LONG === '1' ? 12 : 4;
const WRITER = join(import.meta.dirname, 'support', 'round-writer.ts');

/** Returns the round of the published index. Asserts that all templates have the same round. */
function roundSeen(reader: CatalogReader): number {
  const index = reader.index();
  const byStars = reader.list(everything({ sort: 'stars' })).templates;
  if (index !== reader.index()) return roundSeen(reader);
  const rounds = new Set(byStars.map(({ stars }) => stars));
  assert.equal(byStars.length, TEMPLATES);
  assert.equal(rounds.size, 1);
  return [...rounds][0] ?? 0;
}

/** Asserts that all data of a reader belongs to the same round. No writer may be running. */
function assertOneRound(reader: CatalogReader): void {
  const round = roundSeen(reader);
  const of = (query: object) => reader.list(everything(query)).templates.length;
  assert.deepEqual(reader.topics(), [`round-${round}`]);
  assert.equal(of({ q: `round ${round}.` }), TEMPLATES);
  assert.equal(of({ q: `round ${round}.`, sort: 'stars', tag: `round-${round}` }), TEMPLATES);
  assert.equal(of({ q: `round ${round + 1}.` }), 0);
  assert.equal(of({ q: `round ${round - 1}.` }), 0);
  assert.equal(reader.releases('acme', 'app-1')?.length, round);
  assert.equal(reader.template('acme', `app-${TEMPLATES}`)?.release.tag, `${round}.0.0`);
  assert.equal(reader.lastPass()?.repositories, round);
}

async function kill(writer: ChildProcess): Promise<void> {
  const ended = once(writer, 'exit');
  writer.kill('SIGKILL');
  await ended;
}

test('readers see a complete index whenever the writer is killed', async (context) => {
  const path = join(temporaryFolder(context), 'catalog.db');
  using reader = openReader(path);
  for (let n = 0; n < KILLS; n += 1) {
    const writer = spawn(process.execPath, [WRITER, path, String(TEMPLATES)], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      // Kill the writer during the next round, in each repetition a little later.
      await once(writer.stdout as NonNullable<typeof writer.stdout>, 'data');
      for (let reads = 0; reads < n * 8; reads += 1) roundSeen(reader);
    } finally {
      await kill(writer);
    }
    assertOneRound(reader);
  }
  using db = new DatabaseSync(path);
  assert.deepEqual({ ...db.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
});
