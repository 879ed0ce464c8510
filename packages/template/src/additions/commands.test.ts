import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { DB, DOMAIN, draftWith, meaningOf } from '../../test/support/drafts.ts';
import type { Draft, DraftApp } from '../draft.ts';

const PARTS: Partial<Draft> = {
  minVersion: '0.1.0',
  inputs: [DOMAIN, { key: 'token', type: 'secret', label: 'Token', generate: 32 }],
  databases: [DB],
};

describe('reported problems of secrets in commands', () => {
  const cases: [app: Partial<DraftApp>, said: string[]][] = [
    [{ command: ['serve', '--host', '${db.db.host}', '--url', '${input.domain}'] }, []],
    [{ command: ['serve', '--token=${input.token}'] }, ['command.secret apps.0.command.1']],
    [{ args: ['${db.db.password}'] }, ['command.secret apps.0.args.0']],
    [{ args: ['${input.token} ${db.db.password}'] }, ['command.secret apps.0.args.0']],
    [{ env: { command: '${input.token}', PASSWORD: '${db.db.password}' } }, []],
    [{ files: [{ path: '/etc/a', content: '${input.token}' }] }, []],
  ];
  for (const [app, said] of cases) {
    test(JSON.stringify(app), () => assert.deepEqual(meaningOf(draftWith(app, PARTS)), said));
  }

  test('includes the commands of jobs', () => {
    const jobs = [{ key: 'migrate', app: 'web', command: ['migrate', '${input.token}'] }];
    assert.deepEqual(meaningOf(draftWith({}, { ...PARTS, jobs })), ['command.secret jobs.0.command.1']);
  });
});

describe('reported problems of own jobs', () => {
  const job = (key: string, app: string, when?: { input: string; equals: string }) => ({
    ...{ key, app, command: ['x'] },
    ...(when && { when }),
  });
  const MODE = { key: 'mode', type: 'choice', label: 'Mode', options: ['a', 'b'] } as const;
  const said = (on: string[], jobs: ReturnType<typeof job>[]) =>
    meaningOf(
      draftWith({ depends_on: on }, { ...PARTS, inputs: [DOMAIN, { ...MODE, options: [...MODE.options] }], jobs }),
    );

  test('allow one job of the app and jobs of other apps', () => {
    assert.deepEqual(said(['one'], [job('one', 'web'), job('two', 'web')]), []);
    assert.deepEqual(said(['one', 'one'], [job('one', 'web')]), []);
  });

  test('name the second job that the app waits for', () => {
    assert.deepEqual(said(['one', 'two'], [job('one', 'web'), job('two', 'web')]), [
      'depends.own-jobs apps.0.depends_on.1',
    ]);
  });

  test('allow two jobs of which the answers select only one', () => {
    const [a, b] = ['a', 'b'].map((equals) => ({ input: 'mode', equals }));
    assert.deepEqual(said(['one', 'two'], [job('one', 'web', a), job('two', 'web', b)]), []);
  });
});
