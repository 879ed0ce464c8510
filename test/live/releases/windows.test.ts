/** Pushes to a real registry that is read-only for moments. Each push is refused completely or stored completely. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createLogger } from '@davit/service';
import {
  type RegistryContents,
  registryContents,
} from '../../../packages/daemon/src/adapters/registry/distribution/contents.ts';
import { RegistryStorage } from '../../../packages/daemon/src/adapters/registry/distribution/storage.ts';
import { whyNoEngine } from '../../support/live-harness.ts';
import { OpenRegistry } from '../../support/open-registry.ts';
import { inLong } from '../../support/tiers.ts';

const WINDOWS = 60;
/** Pattern for failures of a push in a read-only moment: the registry refuses it, or does not listen for a moment. */
const REFUSED = /405|fetch failed|socket|ECONNRE/;

describe('pushes during read-only periods of the registry', { skip: whyNoEngine() ?? false }, () => {
  let registry: OpenRegistry;
  let contents: RegistryContents;
  before(async () => {
    registry = await OpenRegistry.start();
    const replace = (to: { readOnly: boolean }) => registry.replace(to);
    const storage = new RegistryStorage(registry.storage);
    /*
     * The pushes here never stop, and the clients do not wait. A collection therefore waits at most 300 ms for a pause,
     * and then interrupts pushes.
     */
    contents = registryContents({ storage, replace, log: createLogger({ level: 'error' }), quietMs: 300 });
  });
  after(() => registry?.[Symbol.asyncDispose]());

  test('are refused with a known error or stored completely', inLong, async () => {
    /*
     * A few contents are pushed repeatedly with one tag, so that a push needs blobs that a collection is about to
     * remove.
     */
    const layers = [1, 2, 3].map(() => randomBytes(64 * 1024));
    const pushing = new Set<string>();
    const failures: string[] = [];
    let pushed = 0;
    let over = false;
    const pusher = async (name: string) => {
      pushing.add(name);
      for (let round = 0; !over || round < 3; round++) {
        const content = layers[round % layers.length] ?? layers[0];
        assert.ok(content);
        try {
          await registry.push(name, 'latest', content);
          pushed += 1;
        } catch (error) {
          failures.push(`${(error as Error).message} ${String((error as Error).cause ?? '')}`);
        }
      }
    };
    const names = ['shop/production/web', 'shop/production/api'];
    const pushers = names.map(pusher);

    for (let window = 0; window < WINDOWS; window++) {
      const request = { keep: new Map(), tags: [], repositories: [], youngMs: 0 };
      await contents.collect(() => ({ ...request, spare: pushing }));
    }
    over = true;
    await Promise.all(pushers);

    console.log(`${pushed} pushes in ${WINDOWS} windows, ${failures.length} of them refused`);
    assert.deepEqual(
      failures.filter((text) => /BLOB_UNKNOWN/.test(text)),
      [],
    );
    assert.deepEqual(
      failures.filter((text) => !REFUSED.test(text)),
      [],
    );
    for (const name of names) {
      await registry.push(name, 'latest', randomBytes(1024));
      assert.equal(await registry.pull(name, 'latest'), 200);
    }
  });

  test('do not prevent several tags from being removed at the same time', async () => {
    const tags = ['a', 'b', 'c'];
    const pushed: { tag: string; digest: string }[] = [];
    for (const tag of tags) {
      const { digest } = await registry.push('shop/production/one', tag, randomBytes(1024));
      pushed.push({ tag, digest });
    }
    const began = performance.now();

    await Promise.all(
      pushed.map(({ tag, digest }) => contents.untag({ repository: 'shop/production/one', tag }, digest)),
    );

    console.log(`three removals together took ${Math.round(performance.now() - began)} ms`);
    for (const tag of tags) assert.equal(await registry.pull('shop/production/one', tag), 404);
  });
});
