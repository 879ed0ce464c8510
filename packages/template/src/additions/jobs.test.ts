import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, draftOf, meaningOf, problemsOf } from '../../test/support/drafts.ts';
import type { DraftApp, DraftJob } from '../draft.ts';

const NEW = { minVersion: '0.1.0' };
const JOB: DraftJob = { key: 'migrate', app: 'web', command: ['npm', 'run', 'migrate'] };

describe('reported problems of jobs', () => {
  const cases: [what: string, jobs: DraftJob[], said: string[]][] = [
    ['none for a valid job', [JOB], []],
    ['an unknown app', [{ ...JOB, app: 'nope' }], ['job.app jobs.0.app']],
    ['a key that an app also has', [{ ...JOB, key: 'web', name: 'x' }], ['key.duplicate jobs.0.key']],
    ['a name that an app also has', [{ ...JOB, name: 'web' }], ['name.duplicate jobs.0.name']],
    ['a duplicate job', [JOB, JOB], ['key.duplicate jobs.1.key', 'name.duplicate jobs.1.name']],
    ['a key that is not a valid name', [{ ...JOB, key: 'runIt' }], ['name.reserved jobs.0.name']],
    ['a reserved name', [{ ...JOB, name: 'settings' }], ['name.reserved jobs.0.name']],
    [
      'an unknown reference in the command',
      [{ ...JOB, command: ['a', '${db.x.host}'] }],
      ['reference.unknown jobs.0.command.1'],
    ],
  ];
  for (const [what, jobs, said] of cases) {
    test(what, () => assert.deepEqual(meaningOf(draftOf({ ...NEW, jobs })), said));
  }
});

describe('reported problems of dependencies', () => {
  const app = (key: string, ...on: string[]): DraftApp => ({ ...APP, key, domains: [], depends_on: on });
  const job = (key: string, ...on: string[]): DraftJob => ({ ...JOB, key, app: 'a', depends_on: on });
  const cases: [what: string, apps: DraftApp[], jobs: DraftJob[], said: string[]][] = [
    ['none for a chain', [app('a', 'b', 'm'), app('b')], [job('m', 'b')], []],
    ['none for a diamond', [app('a', 'b', 'c'), app('b', 'd'), app('c', 'd'), app('d')], [], []],
    [
      'unknown dependencies',
      [app('a', 'b', 'nope')],
      [],
      ['depends.unknown apps.0.depends_on.0', 'depends.unknown apps.0.depends_on.1'],
    ],
    ['a dependency on itself', [app('a', 'a')], [], ['depends.self apps.0.depends_on.0']],
    ['two apps that wait for each other', [app('a', 'b'), app('b', 'a')], [], ['depends.cycle apps.0.depends_on']],
    [
      'a cycle among the dependencies of another app',
      [app('x', 'a'), app('a', 'b'), app('b', 'm')],
      [job('m', 'a')],
      ['depends.cycle apps.1.depends_on'],
    ],
    [
      'only the first of two cycles',
      [app('a', 'b'), app('b', 'a'), app('c', 'd'), app('d', 'c')],
      [],
      ['depends.cycle apps.0.depends_on'],
    ],
  ];
  for (const [what, apps, jobs, said] of cases) {
    test(what, () => assert.deepEqual(meaningOf(draftOf({ ...NEW, apps, jobs })), said));
  }

  test('names all members of a dependency cycle in order', () => {
    const [problem] = problemsOf(draftOf({ ...NEW, apps: [app('a', 'b'), app('b', 'a')] }));
    assert.match(problem?.message ?? '', /^`a` waits for `b` waits for `a`\./);
  });

  test('reports a single cycle among two thousand apps', () => {
    const apps = Array.from({ length: 2000 }, (_, i) => app(`a${i}`, `a${(i + 1) % 2000}`));
    assert.deepEqual(meaningOf(draftOf({ ...NEW, apps })), ['depends.cycle apps.0.depends_on']);
  });
});
