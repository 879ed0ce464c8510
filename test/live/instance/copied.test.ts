/** Copies of a data directory that are started with the engine of the original instance. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePort } from '@davit/testkit/ports';
import { Instance } from '../../support/instance.ts';
import { belongingsOf } from '../../support/instance-removal.ts';
import { LiveHarness, whyNoEngine } from '../../support/live-harness.ts';
import { inLong } from '../../support/tiers.ts';

/** Sockets and pipes are not copied, because a start creates them. */
const isCopied = (name: string) => !/\.sock$|\/wake$/.test(name);

describe('a copied data directory', { skip: whyNoEngine() ?? false }, () => {
  let harness: LiveHarness;
  let folder: string;
  before(async () => {
    harness = await LiveHarness.create();
    folder = await mkdtemp(join(tmpdir(), 'davit-copies-'));
  });
  after(async () => {
    await harness?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Creates an instance that is never disposed, because that would remove the objects of its id at the engine, which
   * belong to the original instance.
   */
  const instanceIn = async (dataDir: string) => {
    const ports = {
      api: await freePort(),
      http: await freePort(),
      https: await freePort(),
      registry: await freePort(),
    };
    return new Instance(dataDir, { key: harness.instance.key }, ports);
  };
  const refusedStart = async (instance: Instance): Promise<string> => {
    try {
      await instance.start();
    } catch (error) {
      return (error as Error).message;
    } finally {
      await instance.kill();
    }
    throw new Error('it started');
  };
  const containers = async () => (await belongingsOf(harness.docker, harness.instance.id ?? '')).containers;

  test('is refused at startup and leaves the containers of the original instance unchanged', async () => {
    const app = await harness.deployedApp();
    const copy = join(folder, 'copy');
    await cp(harness.instance.dataDir, copy, { recursive: true, filter: isCopied });
    const other = await app.deploy('v2');
    assert.equal(other.status, 'succeeded');
    await harness.instance.atRest(app.params);
    const before = await containers();

    const first = await refusedStart(await instanceIn(copy));
    await harness.instance.kill();
    const second = await refusedStart(await instanceIn(copy));

    for (const words of [first, second]) {
      assert.match(words, /is a copy of the data directory .* start Davit once with --adopt [0-9a-f]{8}\./);
      assert.ok(words.includes(harness.instance.dataDir));
    }
    assert.deepEqual(await containers(), before);
    assert.match((await app.get()).text, /^v2 /);
    await harness.instance.start();
    assert.match((await app.get()).text, /^v2 /);
  });

  test('takes over the instance with the adoption code and excludes the original directory', inLong, async () => {
    const copy = join(folder, 'taken');
    await harness.instance.stop();
    await cp(harness.instance.dataDir, copy, { recursive: true, filter: isCopied });
    const taken = await instanceIn(copy);
    const code = /--adopt ([0-9a-f]{8})/.exec(await refusedStart(taken))?.[1] ?? '';

    await assert.rejects(taken.start(['--adopt', '00000000']), /is a copy/);
    await taken.kill();
    await taken.start(['--adopt', code]);
    await taken.restart();
    await taken.stop();
    const first = await refusedStart(harness.instance);

    assert.match(first, /now belong to a data directory other than /);
    // The adoption code was valid only for the move to the copied directory, not for the move back.
    await assert.rejects(harness.instance.start(['--adopt', code]), /now belong to a data directory other than /);
    await harness.instance.kill();
    await harness.instance.start(['--adopt', /--adopt ([0-9a-f]{8})/.exec(first)?.[1] ?? '']);
  });

  test('starts without adoption if the directory was renamed or restored from a copy', inLong, async () => {
    const { dataDir } = harness.instance;
    await harness.instance.stop();
    const renamed = join(folder, 'renamed');
    await rename(dataDir, renamed);
    const moved = await instanceIn(renamed);
    await moved.start();
    await moved.stop();
    await rename(renamed, dataDir);
    await harness.instance.start();
    await harness.instance.stop();
    await cp(dataDir, join(folder, 'backup'), { recursive: true, filter: isCopied });
    await rm(dataDir, { recursive: true });
    await cp(join(folder, 'backup'), dataDir, { recursive: true });

    await harness.instance.start();
  });
});
