import assert from 'node:assert/strict';
import type { FileHandle } from 'node:fs/promises';
import { it } from 'node:test';
import { SteadySync } from './steady-sync.ts';

const MUCH = 16 * 1024 * 1024;

function file(datasync: () => Promise<void>) {
  const calls: string[] = [];
  const handle = {
    datasync: () => {
      calls.push('datasync');
      return datasync();
    },
    sync: async () => void calls.push('sync'),
  } as Partial<FileHandle> as FileHandle;
  return { calls, steady: new SteadySync(handle) };
}

it('SteadySync syncs written data in the background, a single call at a time', async () => {
  const sent = Promise.withResolvers<void>();
  const { calls, steady } = file(() => sent.promise);

  steady.wrote(MUCH - 1);
  assert.deepEqual(calls, []);
  steady.wrote(1);
  steady.wrote(MUCH);
  assert.deepEqual(calls, ['datasync']);
  sent.resolve();
  await steady.finish();

  assert.deepEqual(calls, ['datasync', 'sync']);
});

it('SteadySync reports an error of a background sync when finishing', async () => {
  const { calls, steady } = file(() => Promise.reject(new Error('EIO')));

  steady.wrote(MUCH);

  await assert.rejects(steady.finish(), { message: 'EIO' });
  assert.deepEqual(calls, ['datasync']);
});
