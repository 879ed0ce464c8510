/**
 * Kills the indexer at many points of its passes. Readers must always see a complete index of one generation, and the
 * next pass must resume where the killed pass ended.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CatalogConfig } from '../src/config/config.ts';
import { openReader } from '../src/store/reader.ts';
import { openRecords } from '../src/store/records.ts';
import type { CatalogReader } from '../src/store/types.ts';
import { GitFolder } from './support/git-folder.ts';
import { IndexerChild } from './support/indexer-child.ts';
import { releaseOf, templateOf } from './support/indexer-harness.ts';
import { makePng } from './support/png.ts';

const KILLS = process.env.DAVIT_TEST_LONG === '1' ? 100 : 5;
const REPOSITORIES = Array.from({ length: 6 }, (_, at) => `acme/app-${at}`);
/** Number of log lines of a pass: one for each release, and three others. */
const MOMENTS = REPOSITORIES.length + 3;
/** Time between the log line and the kill, in turns of the event loop. */
const TURNS = [0, 1, 3, 40, 400];

describe(`an indexer that is killed ${KILLS} times`, () => {
  let folder: GitFolder;
  let reader: CatalogReader;
  let database: string;
  let config: CatalogConfig;

  before(async () => {
    folder = await GitFolder.make();
    database = join(folder.path, 'catalog.db');
    reader = openReader(database);
    config = {
      listen: { host: '127.0.0.1', port: 0 },
      dataDir: folder.path,
      url: 'http://127.0.0.1',
      source: { kind: 'dir', path: folder.path },
      topics: ['davit-template'],
      verifiedOwners: [],
      intervalS: 300,
      logLevel: 'debug',
    };
  });
  after(async () => {
    reader[Symbol.dispose]();
    await folder[Symbol.asyncDispose]();
  });

  /** Publishes a generation: every repository gets a release whose data contains the number of the generation. */
  const renew = async (generation: number) => {
    for (const [at, repository] of REPOSITORIES.entries()) {
      const files = {
        'template.yaml': templateOf(`g${generation}`),
        'icon.png': makePng({ seed: generation * 10 + at }),
      };
      await folder.release(repository, releaseOf(`v${generation}`, files, generation));
      await folder.describe(repository, { id: at + 1, stars: generation, description: `generation ${generation}` });
    }
  };

  /**
   * Returns the generation of the published index, or 0 before the first index. Asserts that all its data has the same
   * generation.
   */
  const seen = (): number => {
    if (reader.index() === null) return 0;
    const { templates } = reader.list({ q: null, tag: null, sort: 'stars', limit: 48, after: null });
    const versions = new Set(
      templates.map(({ stars, description, release }) => `${stars} ${description} ${release.tag}`),
    );
    assert.deepEqual([templates.length, versions.size], [REPOSITORIES.length, 1], [...versions].join('; '));
    const [{ stars = 0 } = {}] = templates;
    assert.deepEqual([...versions], [`${stars} generation ${stars} v${stars}`]);
    return stars;
  };

  /** Returns the repositories whose releases of a generation the killed indexer had recorded. */
  const recorded = (generation: number): string[] => {
    using records = openRecords(database);
    return REPOSITORIES.filter((_, at) => records.recorded(at + 1).some(({ tag }) => tag === `v${generation}`));
  };

  const judged = (indexer: IndexerChild): string[] =>
    indexer.lines.flatMap(({ msg, repository }) => (msg === 'release was checked' && repository ? [repository] : []));

  const killAt = async (moment: number, turns: number): Promise<void> => {
    await using indexer = new IndexerChild(config, database);
    if (moment > 0) await indexer.until(`line ${moment}`, ({ lines }) => (lines.length >= moment ? true : undefined));
    for (let turn = 0; turn < turns; turn += 1) {
      seen();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  it('publishes only complete indexes and does not repeat finished releases', {
    timeout: 3_000_000,
  }, async (context) => {
    let [midway, published] = [0, 0];
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await renew(kill);
      const before = seen();
      await killAt((2 * kill) % MOMENTS, TURNS[kill % TURNS.length] ?? 0);
      const now = seen();
      assert.ok(now === before || now === kill, `generation ${before}, then ${now}`);
      const done = recorded(kill);
      if (now === kill) published += 1;
      else if (done.length > 0) midway += 1;

      await using next = new IndexerChild(config, database);
      const { report } = await next.message('pass');
      await next.until('its last line', ({ lines }) => lines.find(({ msg }) => msg === 'indexing run finished'));
      assert.deepEqual([report.error, report.failed], [null, 0]);
      assert.equal(seen(), kill);
      assert.deepEqual(
        judged(next).sort(),
        REPOSITORIES.filter((repository) => !done.includes(repository)),
      );
    }
    context.diagnostic(`${midway} kills fell among the releases of a pass, ${published} after what it published`);
  });
});
