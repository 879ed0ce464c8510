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
