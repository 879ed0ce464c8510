import assert from 'node:assert/strict';
import test from 'node:test';
import { NO_IMAGES } from '../../adapters/engine/platform-images.ts';
import { PlatformUpdates } from './updates.ts';

test('an update check logs a database failure and does not reject', async () => {
  const failures: unknown[] = [];
  const broken = () => {
    throw new Error('the store is damaged');
  };
  await using updates = new PlatformUpdates({
    ...{ maker: { ...NO_IMAGES, names: broken }, needed: () => null, inUse: () => [] },
    records: { all: () => [], find: () => null, put: () => undefined },
    ...{ isEnabled: () => true, now: () => 0, running: () => 0 },
    log: { info: () => undefined, warn: ({ error }: { error?: unknown }) => void failures.push(error) },
  });

  await updates.check();

  assert.match(String(failures), /the store is damaged/);
});
