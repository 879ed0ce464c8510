/** The commands about the registry of the instance. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordRepository } from '@davit/daemon/db/tables/repository.ts';
import { app, pushed } from '@davit/testkit';
import { withDavit } from './support/davit.ts';

describe('the registry of the instance', () => {
  const on = withDavit();

  test('is listed with releases and other tags of each repository', async () => {
    const { reference } = await app(on.daemon, { source: 'registry', image: undefined });
    for (const tag of ['sha256-1.sig', 'sha256-1.att']) on.daemon.registry.push(reference, tag);
    pushed(on.daemon, reference, 'v1');
    // The reconciler may not have counted the tags yet.
    const signed = { name: reference, tags: 3, bytes: 24, unowned_since: null };
    on.daemon.core.store.tx((tx) => recordRepository(tx, signed));

    const { stdout } = await on.davit.run(['registry', 'list']);

    const cells = stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
    assert.deepEqual(cells.find(([name]) => name === reference)?.slice(1, 3), ['1', '2'], stdout);
    assert.match(stdout, /releases +other tags/i);
  });
});
