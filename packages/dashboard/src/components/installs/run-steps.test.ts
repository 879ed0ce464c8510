import assert from 'node:assert/strict';
import { it } from 'node:test';
import { runStepsAhead, runStepWords } from './run-steps.ts';

it('labels a run step according to the kind of run', () => {
  assert.equal(runStepWords('install.install')('apps'), 'Create the apps');
  assert.equal(runStepWords('install.uninstall')('apps'), 'Remove the apps');
  assert.equal(runStepWords('project.delete')('volumes'), 'Move the volumes to the trash');
  assert.equal(runStepWords('install.install')('something-new'), 'Something new');
});

it('lists upcoming steps only while the run is in progress', () => {
  assert.equal(runStepsAhead({ kind: 'install.install', status: 'running' }).at(-1), 'deploy');
  assert.deepEqual(runStepsAhead({ kind: 'install.install', status: 'failed' }), []);
});
