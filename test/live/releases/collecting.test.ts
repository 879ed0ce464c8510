/** Pushes and deployments on a whole instance during garbage collections of its registry. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '@davit/testkit/waiting';
import { whyNoEngine } from '../../support/live-world.ts';
import { ReleaseSetup } from '../../support/release-setup.ts';
import { IS_LONG, inLong, someOf } from '../../support/tiers.ts';

describe('releases during garbage collections', { skip: whyNoEngine() ?? false }, () => {
  let ground: ReleaseSetup;
  before(async () => {
    ground = await ReleaseSetup.start(2);
  });
  after(() => ground?.[Symbol.asyncDispose]());

  test('are pushed completely or refused without missing-blob errors while the registry is read-only', {
    timeout: 300_000,
  }, async () => {
    const app = await ground.newApp('windows');
    const failures: string[] = [];
    let over = false;
    let pushed = 0;
    const pushing = (async () => {
      for (let round = 0; !over; round++) {
        await ground.push(app, 'latest', `windows ${round % 2}`).then(
          () => {
            pushed += 1;
          },
          (error: Error) => failures.push(error.message),
        );
      }
    })();
    await until('something was pushed', async () => (pushed > 0 ? true : null));

    const windows = IS_LONG ? 20 : 2;
    for (let window = 0; window < windows; window++) {
      await ground.collect();
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
    await ground.push(app, 'latest', 'windows 2');
  });

  test('are pulled and deployed during a garbage collection', { timeout: 120_000, ...inLong }, async () => {
    const app = await ground.newApp('pulled');
    const digests = new Map<string, string | null>();
    for (const tag of ['v1', 'v2']) digests.set(tag, (await ground.release(app, tag, `pulled ${tag}`)).digest);
    await using watch = watching(`http://${ground.host}/v2/`);

    for (const tag of someOf(['v1', 'v2', 'v1', 'v2'], 2)) {
      // A draining release keeps its image.
      await until('the engine has lost it', () =>
        ground.lose(digests.get(tag) ?? '').then(
          () => true,
          () => null,
        ),
      );
      const [record] = await Promise.all([ground.instance.deploy(app, tag), ground.collect()]);
      assert.deepEqual([record.status, record.error], ['succeeded', null]);
    }

    console.log(`while it was collected the registry was away for ${watch.longestMs()} ms at a time at most`);
  });

  test('can be pushed after the daemon was killed during a garbage collection', {
    timeout: 120_000,
    ...inLong,
  }, async () => {
    const app = await ground.newApp('killed');
    const collecting = ground.collect().catch(() => null);
    await until('the registry takes no pushes', async () => ((await ground.isReadOnly()) ? true : null));

    await ground.instance.kill();
    assert.equal(await ground.isReadOnly(), true, 'it was killed in the middle');
    await collecting;
    await ground.instance.start();

    await until('the registry takes pushes', async () =>
      (await ground.instance.client.getOwnRegistry()).status === 'running' ? true : null,
    );
    await ground.release(app, 'v1', 'killed');
    assert.equal(await ground.answer(app), `${ground.run} killed`);
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
