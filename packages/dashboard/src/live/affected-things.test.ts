import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TaskEvent } from '@davit/api';
import type { AnswerKey } from '../api.ts';
import { byResource, byTask } from './affected-things.ts';

const INSTALL: AnswerKey = ['getTemplateInstall', { install: '4' }, {}];
const DATABASE: AnswerKey = ['getDatabase', { project: 'a', environment: 'b', database: 'c' }, {}];

function task(more: Partial<TaskEvent>): TaskEvent {
  const subject = { kind: 'install' as const, name: '4' };
  const at = '2026-01-01T00:00:10.000Z';
  return {
    ...{ seq: 1, at, id: 9, kind: 'install.create', subject, status: 'running', step: null },
    error: null,
    ...more,
  };
}

describe('byResource', () => {
  it('affects queries of the resource and lists of its kind', () => {
    const isAffected = byResource({ kind: 'database', reference: 'a/b/c' });
    assert.ok(isAffected(DATABASE));
    assert.ok(isAffected(['listDatabases', {}, { project: 'a' }]));
    assert.ok(!isAffected(['getDatabase', { project: 'a', environment: 'b', database: 'd' }, {}]));
    assert.ok(!isAffected(['getDatabaseLogs', DATABASE[1], {}]));
    assert.ok(!isAffected(INSTALL));
  });
});

describe('byTask', () => {
  it('affects only the task’s own query while the task runs', () => {
    const isAffected = byTask(task({ step: { name: 'apps', state: 'started' } }));
    assert.ok(isAffected(['getTask', { task: '9' }, {}]));
    assert.ok(!isAffected(['getTask', { task: '8' }, {}]));
    assert.ok(!isAffected(INSTALL));
  });

  it('affects the lists of all contents after the deletion of a project', () => {
    const isAffected = byTask(task({ subject: { kind: 'project', name: 'a' }, status: 'succeeded' }));
    assert.ok(isAffected(['listProjects', {}, {}]));
    assert.ok(isAffected(['listVolumes', {}, {}]));
    assert.ok(!isAffected(DATABASE));
  });

  it('affects the subject and task lists after the task ends', () => {
    const isAffected = byTask(task({ status: 'succeeded' }));
    assert.ok(isAffected(INSTALL));
    assert.ok(isAffected(['listTasks', {}, { limit: '20' }]));
    assert.ok(!isAffected(DATABASE));
  });
});
