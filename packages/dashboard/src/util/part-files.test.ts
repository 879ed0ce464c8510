import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { loadFiles } from './part-files.ts';

/** Mocks a network on which the first requests fail. */
function network(t: TestContext, answers: (() => Response)[]) {
  const requestedPaths: string[] = [];
  t.mock.method(globalThis, 'fetch', async (path: string) => {
    requestedPaths.push(path);
    const answer = answers.shift();
    if (answer === undefined) throw new TypeError('Failed to fetch');
    return answer();
  });
  return requestedPaths;
}

const found = () => new Response('export {}');

describe('loadFiles', () => {
  it('fetches all files before the import and only once', async (t) => {
    const requestedPaths = network(t, [found, found]);
    for (const _ of [1, 2])
      assert.equal(await loadFiles(async () => requestedPaths.length, ['assets/a.js', 'assets/b.js']), 2);
    assert.deepEqual(requestedPaths, ['/assets/a.js', '/assets/b.js']);
  });

  it('shares a download between calls at the same time', async (t) => {
    const requestedPaths = network(t, [found]);
    const load = () => loadFiles(async () => requestedPaths.length, ['assets/shared.js']);
    assert.deepEqual(await Promise.all([load(), load(), load()]), [1, 1, 1]);
    assert.deepEqual(requestedPaths, ['/assets/shared.js']);
  });

  it('allows a retry after a shared download has failed', async (t) => {
    const answers: (() => Response)[] = [];
    const requestedPaths = network(t, answers);
    const load = () => loadFiles(async () => requestedPaths.length, ['assets/retried.js']);

    const both = await Promise.allSettled([load(), load()]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    answers.push(found);
    assert.equal(await load(), 2);
  });

  it('does not download the file that contains the loader', async (t) => {
    const requestedPaths = network(t, []);
    const own = new URL('./part-files.ts', import.meta.url).pathname.slice(1);
    assert.equal(await loadFiles(async () => 'imported', [own]), 'imported');
    assert.deepEqual(requestedPaths, []);
  });

  it('skips the import after a failed download and allows a retry', async (t) => {
    const answers: (() => Response)[] = [];
    network(t, answers);
    let imported = 0;
    const load = () => loadFiles(async () => (imported += 1), ['assets/c.js']);

    await assert.rejects(load(), TypeError);
    assert.equal(imported, 0);
    answers.push(() => new Response('', { status: 404 }));
    await assert.rejects(load(), /load assets\/c\.js: 404/);
    assert.equal(imported, 0);
    answers.push(found);
    assert.equal(await load(), 1);
  });
});
