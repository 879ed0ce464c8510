import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, adviceOf, DB, DOMAIN, draftOf, draftWith } from '../../test/support/drafts.ts';
import type { Draft, DraftApp, DraftInput } from '../draft.ts';
import { scopeOf } from '../meaning/scope.ts';
import { giveAdvice } from './advice.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
/** An app without an image, for builds. */
const { image: _image, tag: _tag, ...BARE } = APP;

test('nothing is advised of a file that is well', () => assert.deepEqual(adviceOf(draftOf()), []));

describe('the advice of the older format', () => {
  const { health: _h, ...noHealth } = APP;
  const { limits: _l, ...noLimits } = APP;
  const cases: [what: string, draft: Draft, advice: string[]][] = [
    [
      'on engines',
      draftOf({ databases: [{ key: 'db', engine: 'postgres' }], apps: [{ ...APP, attach: [{ database: 'db' }] }] }),
      ['advice.unpinned-engine databases.0.engine'],
    ],
    ['on health', draftOf({ apps: [noHealth] }), ['advice.no-health apps.0.key']],
    ['on limits', draftOf({ apps: [noLimits] }), ['advice.no-limits apps.0.key']],
    ['on tags', draftOf({ apps: [{ ...BARE, image: 'ghcr.io/a/b' }] }), ['advice.floating-tag apps.0.image']],
    ['not on tags of what has a digest', draftOf({ apps: [{ ...BARE, image: `ghcr.io/a/b@${DIGEST}` }] }), []],
    ['on Docker Hub', draftWith({ image: 'nginx' }), ['advice.dockerhub apps.0.image']],
    ['on apps nobody reaches', draftWith({ domains: [] }, { inputs: [] }), ['advice.unreachable-app apps.0.key']],
    [
      'not on apps that a variable refers to, were it their own',
      draftOf({ apps: [APP, { ...APP, key: 'b', domains: [], env: { A: '${app.b.internal}' } }] }),
      ['advice.self-reference apps.1.key'],
    ],
    [
      'not on apps that another refers to',
      draftOf({
        apps: [
          { ...APP, env: { A: '${app.b.internal}' } },
          { ...APP, key: 'b', domains: [] },
        ],
      }),
      [],
    ],
    [
      'on apps with tcp ports too, with a word on them',
      draftWith({ domains: [], tcp: [{ port: 22 }] }, { inputs: [] }),
      ['advice.unreachable-app apps.0.key', 'advice.reached-by-tcp apps.0.key'],
    ],
  ];
  for (const [what, draft, advice] of cases) test(what, () => assert.deepEqual(adviceOf(draft), advice));
});

test('an app is reached by who has it in a command, too', () => {
  const apps = [
    { ...APP, args: ['--api', '${app.b.internal}'] },
    { ...APP, key: 'b', domains: [] },
  ];
  assert.deepEqual(adviceOf(draftOf({ apps })), []);
});

describe('advice on inputs', () => {
  const text = (more: Partial<DraftInput>): DraftInput => ({ key: 'x', type: 'text', label: 'x', ...more });
  const cases: [input: DraftInput, advice: string[]][] = [
    [text({ pattern: '[a-z]+', default: 'abc' }), []],
    [text({ pattern: '[a-z]+', default: 'ABC' }), ['advice.default default']],
    [text({ pattern: '[a-z]+', default: '' }), []],
    [text({ pattern: '(?=a)b' }), ['advice.pattern pattern']],
    [text({ pattern: '(' }), ['advice.pattern pattern']],
    [text({ pattern: '(a+)+$', default: `${'a'.repeat(5000)}!` }), ['advice.default default']],
    [text({ type: 'number', min: 2, max: 1 }), ['advice.min-max min']],
    [text({ type: 'number', min: 1, max: 1, default: 1 }), []],
    [text({ type: 'number', min: 1, default: 0 }), ['advice.default default']],
    [text({ type: 'number', max: 1, default: 1.5 }), ['advice.default default']],
    [text({ type: 'choice', options: ['a', 'b'], default: 'b' }), []],
    [text({ type: 'choice', options: ['a', 'b'], default: 'c' }), ['advice.default default']],
    [
      text({ type: 'choice', options: ['a', 'b', 'a', 'a'] }),
      ['advice.duplicate-option options.2', 'advice.duplicate-option options.3'],
    ],
    [text({ type: 'secret', generate: 1024 }), []],
    [text({ type: 'secret', generate: 1025 }), ['advice.generate generate']],
  ];
  for (const [input, advice] of cases) {
    const { key: _k, label: _l2, ...rest } = input;
    test(JSON.stringify(rest).slice(0, 80), () => {
      const draft = draftWith({ env: { X: '${input.x}' } }, { inputs: [DOMAIN, input] });
      assert.deepEqual(
        adviceOf(draft),
        advice.map((one) => one.replace(' ', ' inputs.1.')),
      );
    });
  }
});

describe('advice on sources', () => {
  const repo = 'https://github.com/acme/shop';
  const cases: [source: Partial<DraftApp>, advice: string[]][] = [
    [{ image: 'ghcr.io/a/b', tag: 'latest' }, ['advice.latest-tag apps.0.tag']],
    [{ image: 'acme/shop', tag: '1' }, ['advice.dockerhub-user apps.0.image']],
    [{ image: `ghcr.io/a/b@${DIGEST}`, tag: '1' }, ['advice.digest-and-tag apps.0.tag']],
    [{ image: 'ghcr.io/A/b', tag: '1' }, ['advice.image-name apps.0.image']],
    [{ image: 'a.b:5000/c', tag: '1' }, []],
    [
      { image: 'ghcr.io/a/b', tag: '1', ref: 'main', dockerfile: 'x' },
      ['advice.ignored apps.0.ref', 'advice.ignored apps.0.dockerfile'],
    ],
    [{ repo, ref: 'main', build: 'railpack' }, []],
    [{ repo, build: 'railpack' }, ['advice.no-ref apps.0.repo']],
    [{ repo: 'https://me:swordfish@github.com/a/b', ref: 'x', build: 'railpack' }, ['advice.credentials apps.0.repo']],
    [{ repo: 'https://swordfish@github.com/a/b', ref: 'x', build: 'railpack' }, ['advice.credentials apps.0.repo']],
    [{ repo: 'https://github.com/@scope/b', ref: 'x', build: 'railpack' }, []],
  ];
  for (const [source, advice] of cases) {
    test(JSON.stringify(source).slice(0, 80), () => {
      assert.deepEqual(adviceOf(draftOf({ apps: [{ ...BARE, ...source }] })), advice);
    });
  }

  test('does not carry on credentials', () => {
    const scope = scopeOf(draftOf({ apps: [{ ...BARE, repo: 'https://me:swordfish@a.b/c', build: 'railpack' }] }));
    giveAdvice(scope);
    assert.doesNotMatch(JSON.stringify(scope.said()), /swordfish/);
  });
});

describe('advice on data', () => {
  test('on ports to expose', () => {
    const said = (expose: number | null) =>
      adviceOf(draftWith({ attach: [{ database: 'db' }] }, { databases: [{ ...DB, expose }] }));
    for (const expose of [null, 0, 5432, 65_535]) assert.deepEqual(said(expose), []);
    for (const expose of [-1, 65_536]) assert.deepEqual(said(expose), ['advice.expose databases.0.expose']);
  });

  const buckets: [name: string, isGood: boolean][] = [
    ['uploads', true],
    ['a.b-c1', true],
    ['ab', false],
    ['Uploads', false],
    ['up_loads', false],
    ['-uploads', false],
    ['a..b', false],
    ['a'.repeat(64), false],
  ];
  for (const [name, isGood] of buckets) {
    test(`${isGood ? 'not ' : ''}on a bucket ${name.slice(0, 10)}`, () => {
      const draft = draftWith(
        { attach: [{ store: 'files', bucket: name }] },
        { stores: [{ key: 'files', buckets: [name] }] },
      );
      assert.deepEqual(adviceOf(draft), isGood ? [] : ['advice.bucket-name stores.0.buckets.0']);
    });
  }

  test('on a bucket that is not declared, where some are', () => {
    const said = (declared: string[]) =>
      adviceOf(
        draftWith(
          { attach: [{ store: 'files', bucket: 'uploads' }] },
          { stores: [{ key: 'files', buckets: declared }] },
        ),
      );
    assert.deepEqual(said([]), []);
    assert.deepEqual(said(['images']), ['advice.bucket apps.0.attach.0.bucket']);
  });

  test('on a bucket of a database', () => {
    const draft = draftWith({ attach: [{ database: 'db', bucket: 'a' }] }, { databases: [DB] });
    assert.deepEqual(adviceOf(draft), ['advice.ignored apps.0.attach.0.bucket']);
  });
});

describe('advice on what is almost a reference', () => {
  const near = [
    ...['${inputs.domain}', '${{input.domain}}', '${{ input.domain }}', '${ input.domain }', '$ {input.domain}'],
    ...['${Input.domain}', '${INPUT.domain}', '${input.domain', '${secret.domain}', '${apps.web.internal}'],
    ...['${db.x.hots1}', '${db.x.Host}', '${database.db.host}', 'x${input.1}y', '${store.x-y.bucket.z1}'],
  ];
  for (const text of near) {
    test(text, () => {
      const draft = draftWith(
        { attach: [{ database: 'db' }], env: { A: text, D: '${input.domain}' } },
        { databases: [DB] },
      );
      assert.deepEqual(adviceOf(draft), ['advice.near-reference apps.0.env.A']);
    });
  }

  const far = [
    '${HOME}',
    '${HOME:-x.y}',
    '$HOME',
    '${spring.name}',
    '${inputs.nope}',
    '{{input.domain}}',
    '$5.00',
    '$(input.x)',
    '${input.domain}',
  ];
  for (const text of far) test(`not ${text}`, () => assert.deepEqual(adviceOf(draftWith({ env: { A: text } })), []));

  test('with what to write instead', () => {
    const scope = scopeOf(draftWith({ env: { A: '${{ apps.web.internal }}' } }));
    giveAdvice(scope);
    assert.equal(scope.said()[0]?.hint, 'Write `${app.web.internal}`.');
  });
});

describe('advice on references where none are filled in', () => {
  const text = '${input.domain}';
  const cases: [what: string, draft: Draft, at: string][] = [
    [
      'in a branch',
      draftOf({ apps: [{ ...BARE, repo: 'https://a.b/c', ref: text, build: 'railpack' }] }),
      'apps.0.ref',
    ],
    ['in the path of a volume', draftWith({ volumes: [{ path: `/${text}` }] }), 'apps.0.volumes.0.path'],
    [
      'in a default',
      draftOf({
        inputs: [DOMAIN, { key: 'x', type: 'text', label: 'x', default: text }],
        apps: [{ ...APP, env: { A: '${input.x}' } }],
      }),
      'inputs.1.default',
    ],
    [
      'in a bucket',
      draftWith({ attach: [{ database: 'db' }] }, { databases: [{ ...DB, database: text }] }),
      'databases.0.database',
    ],
  ];
  for (const [what, draft, at] of cases) {
    test(what, () => assert.deepEqual(adviceOf(draft), [`advice.reference-ignored ${at}`]));
  }
});

describe('advice on what nobody uses', () => {
  const store: DraftInput = { key: 's', type: 'store', label: 'x' };
  const cases: [what: string, draft: Draft, advice: string[]][] = [
    [
      'on each kind',
      draftOf({ inputs: [DOMAIN, store], databases: [DB], stores: [{ key: 'f' }] }),
      ['advice.unused inputs.1.key', 'advice.unused databases.0.key', 'advice.unused stores.0.key'],
    ],
    [
      'not on what is attached',
      draftWith(
        { attach: [{ database: 'db' }, { store: 's', bucket: 'abc' }] },
        { inputs: [DOMAIN, store], databases: [DB] },
      ),
      [],
    ],
    [
      'not on what is referred to',
      draftWith(
        { env: { A: '${db.db.host}${store.f.bucket}${store.s.bucket}' } },
        { inputs: [DOMAIN, store], databases: [DB], stores: [{ key: 'f' }] },
      ),
      [],
    ],
    ['not on what a condition asks for', draftWith({ when: { input: 's' } }, { inputs: [DOMAIN, store] }), []],
    [
      'not on what a file or a command has in it',
      draftWith(
        { files: [{ path: '/a', content: '${db.db.host}' }], command: ['${store.f.bucket}'] },
        { databases: [DB], stores: [{ key: 'f' }] },
      ),
      [],
    ],
  ];
  for (const [what, draft, advice] of cases) test(what, () => assert.deepEqual(adviceOf(draft), advice));
});

describe('advice on names and domains', () => {
  const long = 'a'.repeat(41);
  const cases: [what: string, draft: Draft, advice: string[]][] = [
    [
      'that are reserved',
      draftOf({ project: 'settings', environment: 'settings' }),
      ['advice.install-name project', 'advice.install-name environment'],
    ],
    [
      'that are long',
      draftOf({ project: long, apps: [{ ...APP, key: long }] }),
      ['advice.install-name project', 'advice.install-name apps.0.key'],
    ],
    ['that are long as a name', draftWith({ name: long }), ['advice.install-name apps.0.name']],
    ['not those that just fit', draftOf({ project: 'a'.repeat(40) }), []],
    [
      'that two apps share',
      draftOf({ apps: [APP, { ...APP, key: 'b', domains: [{ host: ' ${input.domain}' }] }] }),
      ['advice.shared-domain apps.1.domains.0.host'],
    ],
    [
      'not those of which only one is there',
      draftOf({
        apps: [
          { ...APP, when: { input: 'domain', equals: 'a' } },
          { ...APP, key: 'b', when: { input: 'domain', equals: 'b' } },
        ],
      }),
      [],
    ],
  ];
  for (const [what, draft, advice] of cases) test(what, () => assert.deepEqual(adviceOf(draft), advice));
});

test('advice on ranges with nothing on one side', () => {
  assert.deepEqual(adviceOf(draftOf({ minCubeship: '^0.6 ||', minVersion: '|| ^1' })), [
    'advice.empty-alternative minCubeship',
    'advice.empty-alternative minVersion',
  ]);
});

test('much advice is cut, and does not push out errors', () => {
  const scope = scopeOf(draftOf({ apps: Array.from({ length: 3000 }, (_, i) => ({ key: `a${i}` })) }));
  giveAdvice(scope);
  scope.error('source.missing', [], 'x');
  const said = scope.said();
  assert.ok(said.length < 3100);
  assert.deepEqual(
    said.slice(-2).map(({ code }) => code),
    ['source.missing', 'check.more'],
  );
});
