import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, DB, draftOf, draftWith } from '../../test/support/drafts.ts';
import type { Draft, DraftApp, DraftDatabase } from '../draft.ts';
import { normalize } from '../normalize.ts';
import { LIMITS } from '../yaml/limits.ts';
import { checkRequests } from './check.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const said = (draft: Draft) => checkRequests(normalize(draft)).map(({ path }) => path.join('.'));

describe('checkRequests', () => {
  const apps: [what: string, app: Partial<DraftApp>, said: string[]][] = [
    ['no problem of an image with a tag', {}, []],
    ['no problem of an image with a digest', { image: `ghcr.io/acme/shop@${DIGEST}` }, []],
    ['no problem of an image with a digest and a tag', { image: `a.b:5000/c@${DIGEST}`, tag: 'v1' }, []],
    ['an image that no registry can have', { image: 'ghcr.io/Acme/Shop' }, ['image']],
    ['an image that Davit reserves', { image: 'davit/postgres' }, ['image']],
    ['too many replicas', { scale: 101 }, ['scale']],
    ['too many CPU cores', { limits: { cpu: 2_000 } }, ['limits.cpu']],
    ['no problem of an empty list of arguments', { args: [] }, []],
    ['too many arguments', { args: Array<string>(300).fill('a') }, ['args']],
    ['a NUL character', { command: ['a', 'b\0'] }, ['command.1']],
    ['a reserved variable', { env: { DAVIT_URL: 'x' } }, ['env.DAVIT_URL']],
    [
      'a reserved variable under a condition',
      { envWhen: [{ when: { input: 'domain' }, env: { DAVIT_A: '' } }] },
      ['envWhen.0.env.DAVIT_A'],
    ],
    ['a value with a NUL character', { env: { A: '\0' } }, ['env.A']],
    ['no problem of references', { env: { A: '${input.domain}' }, command: ['${input.domain}'] }, []],
    ['a file that Docker manages', { files: [{ path: '/etc/hosts', content: '' }] }, ['files.0.path']],
    ['a volume that hides files that Docker manages', { volumes: [{ path: '/etc' }] }, ['volumes.0.path']],
    ['a volume with a control character', { volumes: [{ path: '/a\tb' }] }, ['volumes.0.path']],
  ];
  for (const [what, app, paths] of apps) {
    test(`reports ${what}`, () =>
      assert.deepEqual(
        said(draftWith(app)),
        paths.map((path) => `apps.0.${path}`),
      ));
  }

  test('reports values of an app that is built from source, but not its missing image', () => {
    const { image: _, tag: __, ...app } = APP;
    const built: DraftApp = { ...app, repo: 'https://a.example/b', build: 'railpack', scale: 101 };
    assert.deepEqual(said(draftOf({ apps: [built] })), ['apps.0.scale']);
  });

  const databases: [what: string, database: Partial<DraftDatabase>, said: string[]][] = [
    [
      'no problem of a valid database',
      { username: 'shop', database: 'shop', expose: 0, limits: { memory: '64Mi' } },
      [],
    ],
    ['too little memory', { limits: { memory: '63Mi' } }, ['limits.memory']],
    ['a port below 1024', { expose: 80 }, ['expose']],
    ['a name with a space', { username: 'a b', database: 'a b' }, ['username', 'database']],
  ];
  for (const [what, database, paths] of databases) {
    test(`reports ${what}`, () =>
      assert.deepEqual(
        said(draftOf({ databases: [{ ...DB, ...database }] })),
        paths.map((path) => `databases.0.${path}`),
      ));
  }

  test('reports values of object stores and jobs', () => {
    const stores = [{ key: 'files', version: '-', limits: { memory: '1Mi' } }];
    const jobs = [{ key: 'migrate', app: 'web', command: Array<string>(300).fill('a') }];
    assert.deepEqual(said(draftOf({ stores, jobs })), ['stores.0.version', 'stores.0.limits.memory', 'jobs.0.command']);
  });

  test('reports the reason for an invalid variable name', () => {
    const [problem] = checkRequests(normalize(draftWith({ env: { DAVIT_URL: 'x' } })));
    assert.match(problem?.message ?? '', /^`DAVIT_URL` is not allowed: must not start with “DAVIT_”/);
  });

  test('lists a limited number of problems', () => {
    const many = <T>(make: (n: number) => T) => Array.from({ length: LIMITS.problems + 5 }, (_, n) => make(n));
    const drafts = [
      draftWith({ env: Object.fromEntries(many((n) => [`DAVIT_${n}`, ''])) }),
      draftOf({ apps: many((n) => ({ ...APP, key: `app${n}`, image: 'UPPER' })) }),
    ];
    for (const draft of drafts) {
      const problems = checkRequests(normalize(draft));
      assert.equal(problems.length, LIMITS.problems + 1);
      assert.deepEqual([problems.at(-2)?.code, problems.at(-1)?.code], ['instance.value', 'check.more']);
    }
  });
});
