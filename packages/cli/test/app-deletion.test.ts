import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { app, paramsOf } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

describe('davit app delete', () => {
  const on = withDavit();

  it('mentions volumes only if the app had volumes', async () => {
    const [without, having] = [await app(on.daemon), await app(on.daemon)];
    await on.daemon.client.addVolume({ params: paramsOf(having), body: { path: '/data' } });

    const plain = await on.davit.run(['app', 'delete', without.reference, '--yes']);
    const kept = await on.davit.run(['app', 'delete', having.reference, '--yes']);

    assert.deepEqual(plain, { code: 0, stdout: `Deleted app ${without.reference}.\n`, stderr: '' });
    assert.match(kept.stdout, /^Deleted app .*\. Its volumes are kept\./);
  });
});
