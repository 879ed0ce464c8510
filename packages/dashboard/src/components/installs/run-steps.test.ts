import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runStepsAhead, runStepWords } from './run-steps.ts';

it('a step is said by what its run does', () => {
  assert.equal(runStepWords('install.install')('apps'), 'Create the apps');
  assert.equal(runStepWords('install.uninstall')('apps'), 'Remove the apps');
  assert.equal(runStepWords('install.install')('something-new'), 'Something new');
});

it('what is to come is known of what is under way', () => {
  assert.equal(runStepsAhead({ kind: 'install.install', status: 'running' }).at(-1), 'deploy');
  assert.deepEqual(runStepsAhead({ kind: 'install.install', status: 'failed' }), []);
});
