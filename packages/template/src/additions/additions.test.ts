import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, DB, DOMAIN, draftOf, draftWith, meaningOf, problemsOf } from '../../test/support/drafts.ts';
import type { Draft, DraftApp, DraftCondition, DraftFile, DraftInput, DraftJob } from '../draft.ts';

const NEW = { minVersion: '0.1.0' };
const SIZE: DraftInput = { key: 'size', type: 'choice', label: 'x', options: ['s', 'l'] };
const JOB: DraftJob = { key: 'migrate', app: 'web', command: ['npm', 'run', 'migrate'] };
const when: DraftCondition = { input: 'size', equals: 'l' };

describe('minVersion is asked for', () => {
  const volumes = { minCubeship: '0.7.0' };
  const cases: [what: string, draft: Partial<Draft>, at: string][] = [
    ['a command', { apps: [{ ...APP, command: ['a'] }] }, 'apps.0.command'],
    ['args', { apps: [{ ...APP, args: ['a'] }] }, 'apps.0.args'],
    ['files', { apps: [{ ...APP, files: [] }] }, 'apps.0.files'],
    ['envWhen', { apps: [{ ...APP, envWhen: [] }] }, 'apps.0.envWhen'],
    ['depends_on', { apps: [{ ...APP, depends_on: [] }] }, 'apps.0.depends_on'],
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
    test(`by ${what}`, () => {
      assert.deepEqual(meaningOf(draftOf(parts)), [`addition.min-version ${at}`]);
      assert.deepEqual(meaningOf(draftOf({ ...parts, ...NEW })), []);
    });
  }

  test('once for each kind', () => {
    const app = { ...APP, command: ['a'], args: ['b'], when: { input: 'domain' } };
    assert.deepEqual(meaningOf(draftOf({ apps: [app, { ...app, key: 'b' }] })), [
      'addition.min-version apps.0.command',
      'addition.min-version apps.0.args',
      'addition.min-version apps.0.when',
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
    test(`as «${minVersion}»`, () => assert.deepEqual(meaningOf(draftOf({ jobs: [], minVersion })), said));
  }

  test('not by a file that has nothing new', () => assert.deepEqual(meaningOf(draftOf()), []));
});

describe('of conditions is said', () => {
  const at = 'apps.0.when';
  const cases: [condition: DraftCondition, said: string[]][] = [
    [{ input: 'size' }, []],
    [{ input: 'size', equals: 's' }, []],
    [{ input: 'size', not: 'l' }, []],
    [{ input: 'domain', equals: 'anything' }, []],
    [{ input: 'nope', equals: 's' }, [`condition.input ${at}.input`]],
    [{ input: 'size', equals: 's', not: 'l' }, [`condition.form ${at}`]],
    [{ input: 'size', equals: 'm' }, [`condition.option ${at}.equals`]],
    [{ input: 'size', not: 'm' }, [`condition.option ${at}.not`]],
    [{ input: 'size', equals: '' }, [`condition.option ${at}.equals`]],
    [{ input: 'maybe', equals: '' }, []],
  ];
  for (const [condition, said] of cases) {
    test(JSON.stringify(condition), () => {
      const inputs: DraftInput[] = [DOMAIN, SIZE, { ...SIZE, key: 'maybe', required: false }];
      assert.deepEqual(meaningOf(draftWith({ when: condition }, { ...NEW, inputs })), said);
    });
  }
});

describe('what is there under a condition is needed under it', () => {
  const env = { A: '${db.db.host}' };
  const databases = [{ ...DB, when }];
  const needed = ['condition.needed apps.0.env.A'];
  const cases: [what: string, app: Partial<DraftApp>, said: string[]][] = [
    ['not by a variable without it', { env }, needed],
    ['by one of an app under it', { env, when }, []],
    ['by one that is under it itself', { envWhen: [{ when, env }] }, []],
    ['by one under another that comes to the same', { env, when: { input: 'size', equals: 'l' } }, []],
    ['not by one under another answer', { env, when: { input: 'size', equals: 's' } }, needed],
    ['not by one under another input', { env, when: { input: 'domain', equals: 'l' } }, needed],
    ['not by an attachment without it', { attach: [{ database: 'db' }] }, ['condition.needed apps.0.attach.0']],
    ['by an attachment under it', { attach: [{ database: 'db', when }] }, []],
    ['not by a command', { command: ['a', '${db.db.host}'] }, ['condition.needed apps.0.command.1']],
  ];
  for (const [what, app, said] of cases) {
    test(what, () => {
      const draft = draftWith(app, { ...NEW, inputs: [DOMAIN, SIZE], databases });
      assert.deepEqual(meaningOf(draft), said);
      assert.ok(problemsOf(draft).every(({ severity }) => severity === 'warning'));
    });
  }

  test('not by a job of an app that may not be there', () => {
    const draft = draftWith({ when }, { ...NEW, inputs: [DOMAIN, SIZE], jobs: [JOB] });
    assert.deepEqual(meaningOf(draft), ['condition.needed jobs.0.app']);
  });

  test('by what is not one answer, where that one is excluded', () => {
    const parts = { ...NEW, inputs: [DOMAIN, SIZE], databases: [{ ...DB, when: { input: 'size', not: 's' } }] };
    assert.deepEqual(meaningOf(draftWith({ env, when }, parts)), []);
  });
});

describe('of secrets is said', () => {
  const cases: [secret: Partial<DraftInput>, said: string[]][] = [
    [{ format: 'hex', bytes: 32 }, []],
    [{ format: 'base64', bytes: 8 }, []],
    [{ format: 'base64url', bytes: 1024 }, []],
    [{ format: 'uuid' }, []],
    [{ format: 'alphanumeric', generate: 32 }, []],
    [{ format: 'hex' }, ['secret.format format']],
    [{ format: 'hex', bytes: 32, generate: 32 }, ['secret.format generate']],
    [{ format: 'hex', bytes: 7 }, ['secret.bytes bytes']],
    [{ format: 'hex', bytes: 1025 }, ['secret.bytes bytes']],
    [{ format: 'uuid', bytes: 16 }, ['secret.format bytes']],
    [{ format: 'uuid', generate: 32 }, ['secret.format generate']],
    [{ format: 'alphanumeric' }, ['secret.format format']],
    [{ format: 'alphanumeric', generate: 32, bytes: 32 }, ['secret.format bytes']],
    [{ bytes: 32 }, ['secret.format bytes']],
  ];
  for (const [secret, said] of cases) {
    test(JSON.stringify(secret), () => {
      const inputs: DraftInput[] = [DOMAIN, { key: 's', type: 'secret', label: 'x', ...secret }];
      assert.deepEqual(
        meaningOf(draftOf({ ...NEW, inputs })),
        said.map((one) => one.replace(' ', ' inputs.1.')),
      );
    });
  }
});

describe('of files is said', () => {
  const file = (path: string, content = ''): DraftFile => ({ path, content });
  const cases: [what: string, files: DraftFile[], said: string[]][] = [
    ['nothing of several', [file('/etc/a'), file('/etc/ab'), file('/b')], []],
    ['a path that is not absolute', [file('a')], ['file.path 0.path']],
    ['a folder', [file('/etc/')], ['file.path 0.path']],
    ['a path of the system', [file('/proc/x')], ['file.path 0.path']],
    ['a path twice', [file('/a'), file('/x/../a')], ['file.duplicate 1.path']],
    ['a file below a file', [file('/a/b/c'), file('/a/b'), file('/a-b')], ['file.path 0.path']],
    ['a file in a volume', [file('/data/a'), file('/database')], ['file.in-volume 0.path']],
    ['a file that is a volume', [file('/data')], ['file.in-volume 0.path']],
    ['nothing of 64 KiB', [file('/a', 'x'.repeat(65_536))], []],
    ['more than 64 KiB', [file('/a', 'x'.repeat(65_537))], ['file.size 0.content']],
    ['more than 64 KiB of fewer characters', [file('/a', 'ä'.repeat(32_769))], ['file.size 0.content']],
  ];
  for (const [what, files, said] of cases) {
    test(what, () => {
      const draft = draftWith({ files, volumes: [{ path: '/data/' }] }, { ...NEW, minCubeship: '0.7.0' });
      assert.deepEqual(
        meaningOf(draft),
        said.map((one) => one.replace(' ', ' apps.0.files.')),
      );
    });
  }
});

describe('of the sizes of volumes is said', () => {
  const cases: [size: string, isRight: boolean][] = [
    ['10Gi', true],
    ['1Mi', true],
    ['1048575', false],
    ['much', false],
    ['-1Gi', false],
  ];
  for (const [size, isRight] of cases) {
    test(`${isRight ? 'nothing of' : 'that they are none:'} ${size}`, () => {
      const draft = draftWith({ volumes: [{ path: '/a', size }] }, { ...NEW, minCubeship: '0.7.0' });
      assert.deepEqual(meaningOf(draft), isRight ? [] : ['volume.size apps.0.volumes.0.size']);
    });
  }
});

describe('of jobs is said', () => {
  const cases: [what: string, jobs: DraftJob[], said: string[]][] = [
    ['nothing of one', [JOB], []],
    ['an app that is not there', [{ ...JOB, app: 'nope' }], ['job.app jobs.0.app']],
    ['the key of an app', [{ ...JOB, key: 'web', name: 'x' }], ['key.duplicate jobs.0.key']],
    ['the name of an app', [{ ...JOB, name: 'web' }], ['name.duplicate jobs.0.name']],
    ['one twice', [JOB, JOB], ['key.duplicate jobs.1.key', 'name.duplicate jobs.1.name']],
    ['a key that is no name', [{ ...JOB, key: 'runIt' }], ['name.reserved jobs.0.name']],
    ['a reserved name', [{ ...JOB, name: 'settings' }], ['name.reserved jobs.0.name']],
    [
      'what its command refers to',
      [{ ...JOB, command: ['a', '${db.x.host}'] }],
      ['reference.unknown jobs.0.command.1'],
    ],
  ];
  for (const [what, jobs, said] of cases) {
    test(what, () => assert.deepEqual(meaningOf(draftOf({ ...NEW, jobs })), said));
  }
});

describe('of what waits is said', () => {
  const app = (key: string, ...on: string[]): DraftApp => ({ ...APP, key, domains: [], depends_on: on });
  const job = (key: string, ...on: string[]): DraftJob => ({ ...JOB, key, app: 'a', depends_on: on });
  const cases: [what: string, apps: DraftApp[], jobs: DraftJob[], said: string[]][] = [
    ['nothing of a chain', [app('a', 'b', 'm'), app('b')], [job('m', 'b')], []],
    ['nothing of a diamond', [app('a', 'b', 'c'), app('b', 'd'), app('c', 'd'), app('d')], [], []],
    [
      'what is not there',
      [app('a', 'b', 'nope')],
      [],
      ['depends.unknown apps.0.depends_on.0', 'depends.unknown apps.0.depends_on.1'],
    ],
    ['itself', [app('a', 'a')], [], ['depends.self apps.0.depends_on.0']],
    ['two that wait for each other', [app('a', 'b'), app('b', 'a')], [], ['depends.cycle apps.0.depends_on']],
    [
      'a circle behind what waits for it',
      [app('x', 'a'), app('a', 'b'), app('b', 'm')],
      [job('m', 'a')],
      ['depends.cycle apps.1.depends_on'],
    ],
    [
      'one circle of two',
      [app('a', 'b'), app('b', 'a'), app('c', 'd'), app('d', 'c')],
      [],
      ['depends.cycle apps.0.depends_on'],
    ],
  ];
  for (const [what, apps, jobs, said] of cases) {
    test(what, () => assert.deepEqual(meaningOf(draftOf({ ...NEW, apps, jobs })), said));
  }

  test('who waits for whom', () => {
    const [problem] = problemsOf(draftOf({ ...NEW, apps: [app('a', 'b'), app('b', 'a')] }));
    assert.match(problem?.message ?? '', /^`a` waits for `b` waits for `a`:/);
  });

  test('nothing that takes long of very many', () => {
    const apps = Array.from({ length: 2000 }, (_, i) => app(`a${i}`, `a${(i + 1) % 2000}`));
    assert.deepEqual(meaningOf(draftOf({ ...NEW, apps })), ['depends.cycle apps.0.depends_on']);
  });
});

test('references are looked at wherever they are filled in', () => {
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
