import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runStepsAhead } from './run-steps.ts';

it('lists upcoming steps only while the run is in progress', () => {
  assert.equal(runStepsAhead({ kind: 'install.install', status: 'running' }).at(-1), 'deploy');
  assert.deepEqual(runStepsAhead({ kind: 'install.install', status: 'failed' }), []);
});
