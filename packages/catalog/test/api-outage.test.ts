/**
 * Tests the HTTP responses of the catalog before the first index, while the database fails, and after the indexer
 * process was killed.
 */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { CatalogHealth, CatalogPage } from '@davit/api/catalog.ts';
import { bootCatalog, type TestCatalog } from '@davit/testkit/catalog';
import { until } from '@davit/testkit/waiting';
import { GitFolder } from './support/git-folder.ts';
import { releaseOf } from './support/indexer-harness.ts';

const ROUTES = [
  '/templates',
  '/templates/a/b',
  '/templates/a/b/manifest',
  '/templates/a/b/releases',
  '/tags',
  `/icons/1/${'a'.repeat(40)}.png`,
];

async function areUnavailable(catalog: TestCatalog): Promise<void> {
  for (const path of ROUTES) {
    const { status, headers, text } = await catalog.get(path);
    assert.deepEqual([status, JSON.parse(text).error.code], [503, 'unavailable'], path);
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.doesNotMatch(text, /sqlite|catalog\.db|SQL|ENOENT|\/tmp/i);
  }
}

describe('before the first index', () => {
  it('catalog reads return 503 while all other routes respond', async () => {
    await using catalog = await bootCatalog({ published: false });
    await areUnavailable(catalog);
    for (const path of ['/healthz', '/metrics', '/docs', '/openapi.json', '/schema/template/v1.json'])
      assert.equal((await catalog.get(path)).status, 200, path);
    assert.equal((await catalog.get('/templates?limit=0')).status, 400);
    assert.deepEqual(await catalog.read<CatalogHealth>('/healthz'), { last_pass: null, index: null, templates: null });

    catalog.publish();

    assert.deepEqual(await catalog.list(), []);
    assert.deepEqual(await catalog.read('/tags'), { tags: [] });
  });
});

describe('while the database fails', () => {
  it('catalog reads return 503, log the cause once and recover with the database', async () => {
    await using catalog = await bootCatalog();
    catalog.add({ owner: 'a', name: 'b' });
    const file = join(catalog.dataDir, 'catalog.db');
    await catalog.list();
    catalog.closeRecords();
    renameSync(file, `${file}.kept`);
    writeFileSync(file, 'this is no database, but it is long enough to be taken for a damaged one'.repeat(100));

    await areUnavailable(catalog);

    assert.equal((await catalog.get('/healthz')).status, 200);
    const logged = catalog.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request failed');
    assert.equal(logged.length, 1, 'one line, however often it is asked');
    assert.match(logged[0].error.message, /not a database/);

    renameSync(`${file}.kept`, file);

    assert.deepEqual(await catalog.list(), ['a/b']);
  });
});

describe('the indexer process of the server', () => {
  it('resumes after a kill while readers keep the previous index', async () => {
    await using folder = await GitFolder.make();
    await folder.release('acme/one', releaseOf('v1'));
    await using catalog = await bootCatalog({ indexes: true, source: folder.path });
    await until('the first pass has ended', async () => (await catalog.get('/templates')).status === 200);
    assert.deepEqual(await catalog.list(), ['acme/one']);
    const passes = async () =>
      Number(/davit_catalog_passes_total (\d+)/.exec((await catalog.get('/metrics')).text)?.[1]);
    await until('the indexing run is recorded', async () => (await passes()) === 1);

    await folder.release('acme/two', releaseOf('v1', {}, 1));
    for (const pid of indexers()) process.kill(pid, 'SIGKILL');
    let reads = 0;
    await until('another one has read what is new', async () => {
      const { templates } = await catalog.read<CatalogPage>('/templates');
      reads += 1;
      assert.ok(templates.length === 1 || templates.length === 2);
      return templates.length === 2;
    });

    assert.ok(reads > 1);
    assert.deepEqual(await catalog.list(), ['acme/two', 'acme/one']);
  });

  it('ends when the server stops', async () => {
    await using folder = await GitFolder.make();
    const catalog = await bootCatalog({ indexes: true, source: folder.path });
    await until('it has read its source', async () => (await catalog.get('/templates')).status === 200);
    assert.equal(indexers().length, 1);

    await catalog[Symbol.asyncDispose]();

    assert.deepEqual(indexers(), []);
  });
});

/** Returns the IDs of the indexer processes that this process started. */
function indexers(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(process.pid);
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('indexer/main.ts');
      } catch {
        // The process ended after the list of processes was read.
        return false;
      }
    });
}
