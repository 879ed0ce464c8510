import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, DOMAIN, draftOf, draftWith, meaningOf } from '../../test/support/drafts.ts';
import type { Draft } from '../draft.ts';

const NEW = { minVersion: '0.1.0' };
const WORKER = { key: 'web', image: 'ghcr.io/acme/shop', tag: '1.4.0', limits: {}, worker: true };

describe('minVersion requirement', () => {
  const volumes = { minCubeship: '0.7.0' };
  const cases: [what: string, draft: Partial<Draft>, at: string][] = [
    ['a command', { apps: [{ ...APP, command: ['a'] }] }, 'apps.0.command'],
    ['a worker', { apps: [WORKER] }, 'apps.0.worker'],
    ['args', { apps: [{ ...APP, args: ['a'] }] }, 'apps.0.args'],
    ['files', { apps: [{ ...APP, files: [] }] }, 'apps.0.files'],
    ['envWhen', { apps: [{ ...APP, envWhen: [] }] }, 'apps.0.envWhen'],
    ['depends_on', { apps: [{ ...APP, depends_on: [] }] }, 'apps.0.depends_on'],
    ['a variable name with a dot', { apps: [{ ...APP, env: { 'a.b': 'c' } }] }, 'apps.0.env.a.b'],
    [
      'the size of a volume',
      { ...volumes, apps: [{ ...APP, volumes: [{ path: '/a' }, { path: '/b', size: '1Gi' }] }] },
      'apps.0.volumes.1.size',
    ],
    [
      'a condition of a domain',
      { apps: [{ ...APP, domains: [{ host: '${input.domain}', when: { input: 'domain' } }] }] },
      'apps.0.domains.0.when',
    ],
    ['a condition of an app', { apps: [{ ...APP, when: { input: 'domain' } }] }, 'apps.0.when'],
    ['a condition of a store', { stores: [{ key: 'a', when: { input: 'domain' } }] }, 'stores.0.when'],
    ['jobs', { jobs: [] }, 'jobs'],
    [
      'the format of a secret',
      { inputs: [DOMAIN, { key: 's', type: 'secret', label: 'x', format: 'uuid' }] },
      'inputs.1.format',
    ],
  ];
  for (const [what, parts, at] of cases) {
    test(`requires minVersion for ${what}`, () => {
      assert.deepEqual(meaningOf(draftOf(parts)), [`addition.min-version ${at}`]);
      assert.deepEqual(meaningOf(draftOf({ ...parts, ...NEW })), []);
    });
  }

  test('reports each kind of addition only once', () => {
    const app = { ...APP, command: ['a'], args: ['b'], when: { input: 'domain' } };
    assert.deepEqual(meaningOf(draftOf({ apps: [app, { ...app, key: 'b' }] })), [
      'addition.min-version apps.0.command',
      'addition.min-version apps.0.args',
      'addition.min-version apps.0.when',
    ]);
  });

  test('reports a variable name with a dot in envWhen only as envWhen', () => {
    const app = { ...APP, envWhen: [{ when: { input: 'domain' }, env: { 'a.b': 'c' } }] };
    assert.deepEqual(meaningOf(draftOf({ apps: [app] })), [
      'addition.min-version apps.0.envWhen',
      'addition.min-version apps.0.envWhen.0.when',
    ]);
  });

  const ranges: [range: string, said: string[]][] = [
    ['0.1', []],
    ['>=0.1.0', []],
    ['^0.1', []],
    ['*', ['addition.min-version jobs']],
    ['0.0.9', ['addition.min-version jobs']],
    ['0.1.0-rc.0', ['addition.min-version jobs']],
    ['0.1.0-rc.1', []],
    ['soon', ['version.range minVersion']],
  ];
  for (const [minVersion, said] of ranges) {
    test(`checks if the range “${minVersion}” is strict enough for jobs`, () =>
      assert.deepEqual(meaningOf(draftOf({ jobs: [], minVersion })), said));
  }

  test('requires no minVersion for a template without additions', () => assert.deepEqual(meaningOf(draftOf()), []));
});

test('checks references in commands, arguments, files and conditional variables', () => {
  const bad = '${input.nope}';
  const draft = draftWith(
    {
      command: ['a', bad],
      args: [bad],
      files: [{ path: '/a', content: bad }],
      envWhen: [{ when: { input: 'domain' }, env: { A: bad } }],
    },
    NEW,
  );
  assert.deepEqual(meaningOf(draft), [
    'reference.unknown apps.0.command.1',
    'reference.unknown apps.0.args.0',
    'reference.unknown apps.0.files.0.content',
    'reference.unknown apps.0.envWhen.0.env.A',
  ]);
});
