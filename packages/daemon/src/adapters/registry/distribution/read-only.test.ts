import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RegistryUnavailable } from '../registry.ts';
import { ReadOnlyWindow } from './read-only.ts';

describe('ReadOnlyWindow', () => {
  /** Returns a window and the list of its actions in order. */
  function createHarness(
    fail: { opening?: boolean; closing?: boolean } = {},
    rest: () => Promise<void> = async () => undefined,
  ) {
    const done: string[] = [];
    const replace = async ({ readOnly }: { readOnly: boolean }) => {
      done.push(readOnly ? 'closed' : 'open');
      if (readOnly ? fail.opening : fail.closing) throw new Error('the engine is away');
    };
    const log = { info: () => undefined, warn: () => done.push('warned') };
    const window = new ReadOnlyWindow({ replace, quiet: async () => void done.push('quiet'), rest, log });
    return { done, window };
  }
  const note = (done: string[], word: string) => async () => {
    done.push(word);
    return word;
  };

  it('makes the registry read-only before the work and writable before returning the result', async () => {
    const { done, window } = createHarness();

    const answer = await window.run(note(done, 'work'));

    assert.equal(answer, 'work');
    assert.deepEqual(done, ['quiet', 'closed', 'work', 'open']);
    assert.equal(window.isClosed, false);
  });

  it('runs simultaneous work in the same window and later work in separate windows', async () => {
    const { done, window } = createHarness();

    await Promise.all(['a', 'b'].map((word) => window.run(note(done, word))));
    for (const word of ['c', 'd', 'e']) await window.run(note(done, word));

    assert.deepEqual(done.filter((word) => word.length === 1).join(''), 'abcde');
    assert.equal(done.filter((word) => word === 'closed').length, 4);
  });

  it('starts the next window only after a time in which pushes are accepted', async () => {
    const rested = Promise.withResolvers<void>();
    const { done, window } = createHarness({}, () => rested.promise);
    await window.run(note(done, 'first'));

    const second = window.run(note(done, 'second'));

    await new Promise(setImmediate);
    assert.equal(window.isClosed, false);
    assert.equal(done.at(-1), 'open');
    rested.resolve();
    assert.equal(await second, 'second');
  });

  it('makes the registry writable after failed work and runs the next work', async () => {
    const { done, window } = createHarness();

    const failed = window.run(() => Promise.reject(new Error('a file is gone')));
    const next = window.run(note(done, 'next'));

    await assert.rejects(failed, /a file is gone/);
    assert.equal(await next, 'next');
    assert.equal(done.at(-1), 'open');
  });

  it('refuses all waiting work if the window fails to start and restores the registry', async () => {
    const { done, window } = createHarness({ opening: true });

    const results = ['a', 'b'].map((word) => window.run(note(done, word)));

    for (const one of results) await assert.rejects(one, RegistryUnavailable);
    assert.deepEqual(done, ['quiet', 'closed', 'open']);
  });

  it('logs a warning and returns the result if the registry stays read-only', async () => {
    const { done, window } = createHarness({ closing: true });

    assert.equal(await window.run(note(done, 'work')), 'work');
    assert.equal(done.at(-1), 'warned');
  });
});
