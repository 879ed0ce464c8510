import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS, settingsPatch } from './settings.ts';

test('app set has an option for each limit of the replicas', () => {
  const none = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, undefined]));
  const given = { ...none, memory: '64Mi', cpu: '0.5', pids: '455', label: [] } as unknown as Parameters<
    typeof settingsPatch
  >[0];

  assert.deepEqual(settingsPatch(given), { limits: { memory_bytes: 2 ** 26, cpu: 0.5, pids: 455 } });
});
