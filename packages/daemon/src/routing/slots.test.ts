import assert from 'node:assert/strict';
import test from 'node:test';
import { CoreHarness } from '../../test/support/core-harness.ts';
import { desiredState } from '../adapters/proxy/haproxy/desired.ts';
import { MOST_BACKENDS } from '../adapters/proxy/proxy.ts';
import { MOST_OF_PROJECT, takeSlot } from './slots.ts';

/** Takes slots up to a number for an app, as domains with other ports do. */
function fill(harness: CoreHarness, app: string, from: number, to: number): void {
  const sql = `WITH RECURSIVE n (slot) AS (SELECT ? UNION ALL SELECT slot + 1 FROM n WHERE slot < ?)
    INSERT OR IGNORE INTO routes (slot, app_id, port, protocol) SELECT slot, ?, slot, 'http' FROM n`;
  harness.core.store.tx((tx) => tx.run(sql, from, to, harness.app(app).id));
}

test('a project can use at most 5000 backends of the proxy', () => {
  using harness = CoreHarness.withApp();
  harness.addApp('b');
  fill(harness, 'web', 1, MOST_OF_PROJECT);

  for (const app of ['web', 'b']) {
    assert.throws(() => harness.core.store.tx((tx) => takeSlot(tx, harness.app(app).id, 65_001, 'http')), {
      code: 'conflict',
      message: /at most 5000 ports of apps for each project/,
    });
  }
});

test('an instance can use at most 50000 backends of the proxy', () => {
  using harness = CoreHarness.withApp();
  fill(harness, 'web', 1, MOST_BACKENDS);

  assert.throws(() => harness.core.store.tx((tx) => takeSlot(tx, harness.app('web').id, 65_001, 'http')), {
    code: 'conflict',
    message: /at most 50000 ports of apps for each instance/,
  });
  const backend = { slot: MOST_BACKENDS, app: 'a/b/c', protocol: 'http', servers: [] } as const;
  const api = { address: '127.0.0.1', port: 1 };
  desiredState({ domain: 'example.com', api, backends: [{ ...backend, servers: [] }], hosts: [] });
});
