import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEPLOYMENT_STEPS, deploymentStepWords, taskStepWords } from './step-words.ts';

describe('descriptions of steps', () => {
  it('exist for each deployment step and are not longer than the column of the command line', () => {
    for (const name of DEPLOYMENT_STEPS) assert.match(deploymentStepWords(name), /^[A-Z][a-z ]{1,41}$/);
    assert.equal(deploymentStepWords('toString'), 'toString');
  });

  it('depend on the kind of the task', () => {
    assert.equal(taskStepWords('install.install')('apps'), 'Create the apps');
    assert.equal(taskStepWords('install.uninstall')('apps'), 'Remove the apps');
    assert.equal(taskStepWords('project.delete')('volumes'), 'Move the volumes to the trash');
    assert.equal(taskStepWords('database.create')('ready'), 'Wait until the service is ready');
  });

  it('are the readable name of the step if the step or the kind is unknown', () => {
    assert.equal(taskStepWords('install.install')('something-new'), 'Something new');
    assert.equal(taskStepWords('moon.reach')('object_stores'), 'Object stores');
    assert.equal(taskStepWords('constructor')('constructor'), 'Constructor');
  });
});
