/** Pushes and deployments on a whole instance during garbage collections of its registry. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { whyNoEngine } from '../../support/live-harness.ts';
import { ReleaseSetup } from '../../support/release-setup.ts';
import { IS_LONG, inLong, someOf } from '../../support/tiers.ts';

describe('releases during garbage collections', { skip: whyNoEngine() ?? false }, () => {
  let setup: ReleaseSetup;
  before(async () => {
    setup = await ReleaseSetup.start(2);
  });
  after(() => setup?.[Symbol.asyncDispose]());

  test('are pushed completely or refused without missing-blob errors while the registry is read-only', async () => {
    const app = await setup.newApp('windows');
    const failures: string[] = [];
    let over = false;
    let pushed = 0;
    const pushing = (async () => {
      for (let round = 0; !over; round++) {
        await setup.push(app, 'latest', `windows ${round % 2}`).then(
          () => {
            pushed += 1;
          },
          (error: Error) => failures.push(error.message),
        );
      }
    })();
    await until('something was pushed', async () => (pushed > 0 ? true : null));

    const windows = IS_LONG ? 20 : 1;
    for (let window = 0; window < windows; window++) {
      await setup.collect();
      const before = pushed;
      await until('a push succeeded after it', async () => (pushed > before ? true : null));
    }
    over = true;
    await pushing;

    console.log(`${pushed} pushes, ${failures.length} refused:`, [...new Set(failures)]);
    assert.deepEqual(
      failures.filter((text) => /blob unknown|BLOB_UNKNOWN/i.test(text)),
      [],
    );
    await setup.push(app, 'latest', 'windows 2');
  });

  test('are pulled and deployed during a garbage collection', inLong, async () => {
    const app = await setup.newApp('pulled');
    const digests = new Map<string, string | null>();
    for (const tag of ['v1', 'v2']) digests.set(tag, (await setup.release(app, tag, `pulled ${tag}`)).digest);
    await using watch = watching(`http://${setup.host}/v2/`);

    for (const tag of someOf(['v1', 'v2', 'v1', 'v2'], 2)) {
      // A draining release keeps its image.
      await until('the engine has lost it', () =>
        setup.lose(digests.get(tag) ?? '').then(
          () => true,
          () => null,
        ),
      );
      const [record] = await Promise.all([setup.instance.deploy(app, tag), setup.collect()]);
      assert.deepEqual([record.status, record.error], ['succeeded', null]);
    }

    console.log(`while it was collected the registry was away for ${watch.longestMs()} ms at a time at most`);
  });

  test('can be pushed after the daemon was killed during a garbage collection', inLong, async () => {
    const app = await setup.newApp('killed');
    const collecting = setup.collect().catch(() => null);
    await until('the registry takes no pushes', async () => ((await setup.isReadOnly()) ? true : null));

    await setup.instance.kill();
    assert.equal(await setup.isReadOnly(), true, 'it was killed in the middle');
    await collecting;
    await setup.instance.start();

    await until('the registry takes pushes', async () =>
      (await setup.instance.client.getOwnRegistry()).status === 'running' ? true : null,
    );
    await setup.release(app, 'v1', 'killed');
    assert.equal(await setup.answer(app), `${setup.run} killed`);
  });
});

/** Watches an address until it is disposed. `longestMs` returns the longest time so far without a response. */
function watching(url: string): AsyncDisposable & { longestMs(): number } {
  let longest = 0;
  let over = false;
  const looking = (async () => {
    for (let seen = performance.now(); !over; await new Promise((resolve) => setTimeout(resolve, 5))) {
      if ((await fetch(url).catch(() => null)) === null) continue;
      longest = Math.max(longest, performance.now() - seen);
      seen = performance.now();
    }
  })();
  return {
    longestMs: () => Math.round(longest),
    async [Symbol.asyncDispose]() {
      over = true;
      await looking;
    },
  };
}
