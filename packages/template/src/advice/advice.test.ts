import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, adviceOf, DB, DOMAIN, draftOf, draftWith } from '../../test/support/drafts.ts';
import type { Draft, DraftInput } from '../draft.ts';
import { scopeOf } from '../meaning/scope.ts';
import { giveAdvice } from './advice.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
/** App without a source. Tests add a build source or an image. */
const { image: _image, tag: _tag, ...BARE } = APP;

test('gives no advice for a template without problems', () => assert.deepEqual(adviceOf(draftOf()), []));

describe('advice of the older format', () => {
  const { health: _h, ...noHealth } = APP;
  const { limits: _l, ...noLimits } = APP;
  const cases: [what: string, draft: Draft, advice: string[]][] = [
    [
      'on a missing version of an engine',
      draftOf({ databases: [{ key: 'db', engine: 'postgres' }], apps: [{ ...APP, attach: [{ database: 'db' }] }] }),
      ['advice.unpinned-engine databases.0.engine'],
    ],
    ['on a missing health path', draftOf({ apps: [noHealth] }), ['advice.no-health apps.0.key']],
    ['on missing limits', draftOf({ apps: [noLimits] }), ['advice.no-limits apps.0.key']],
    ['on a missing tag', draftOf({ apps: [{ ...BARE, image: 'ghcr.io/a/b' }] }), ['advice.floating-tag apps.0.image']],
    ['not on a missing tag beside a digest', draftOf({ apps: [{ ...BARE, image: `ghcr.io/a/b@${DIGEST}` }] }), []],
    ['on an image without a registry', draftWith({ image: 'nginx' }), ['advice.dockerhub apps.0.image']],
    ['on unreachable apps', draftWith({ domains: [] }, { inputs: [] }), ['advice.unreachable-app apps.0.key']],
    [
      'not on unreachable apps in a variable, even their own',
      draftOf({ apps: [APP, { ...APP, key: 'b', domains: [], env: { A: '${app.b.internal}' } }] }),
      ['advice.self-reference apps.1.key'],
    ],
    [
      'not on apps that another app refers to',
      draftOf({
        apps: [
          { ...APP, env: { A: '${app.b.internal}' } },
          { ...APP, key: 'b', domains: [] },
        ],
      }),
      [],
    ],
    [
      'on unreachable apps with TCP ports, with a remark about these ports',
      draftWith({ domains: [], tcp: [{ port: 22 }] }, { inputs: [] }),
      ['advice.unreachable-app apps.0.key', 'advice.reached-by-tcp apps.0.key'],
    ],
  ];
  for (const [what, draft, advice] of cases) test(what, () => assert.deepEqual(adviceOf(draft), advice));
});

test('treats an app referenced in another app’s arguments as reachable', () => {
  const apps = [
    { ...APP, args: ['--api', '${app.b.internal}'] },
    { ...APP, key: 'b', domains: [] },
  ];
  assert.deepEqual(adviceOf(draftOf({ apps })), []);
});

describe('advice on unused resources', () => {
  const store: DraftInput = { key: 's', type: 'store', label: 'x' };
  const cases: [what: string, draft: Draft, advice: string[]][] = [
    [
      'on each kind of unused resource',
      draftOf({ inputs: [DOMAIN, store], databases: [DB], stores: [{ key: 'f' }] }),
      ['advice.unused inputs.1.key', 'advice.unused databases.0.key', 'advice.unused stores.0.key'],
    ],
    [
      'not on attached resources',
      draftWith(
        { attach: [{ database: 'db' }, { store: 's', bucket: 'abc' }] },
        { inputs: [DOMAIN, store], databases: [DB] },
      ),
      [],
    ],
    [
      'not on referenced resources',
      draftWith(
        { env: { A: '${db.db.host}${store.f.bucket}${store.s.bucket}' } },
        { inputs: [DOMAIN, store], databases: [DB], stores: [{ key: 'f' }] },
      ),
      [],
    ],
    ['not on the input of a condition', draftWith({ when: { input: 's' } }, { inputs: [DOMAIN, store] }), []],
    [
      'not on resources in a file or a command',
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
      'on reserved names',
      draftOf({ project: 'settings', environment: 'settings' }),
      ['advice.install-name project', 'advice.install-name environment'],
    ],
    [
      'on long keys',
      draftOf({ project: long, apps: [{ ...APP, key: long }] }),
      ['advice.install-name project', 'advice.install-name apps.0.key'],
    ],
    ['on a long name', draftWith({ name: long }), ['advice.install-name apps.0.name']],
    ['not on a name of the maximum length', draftOf({ project: 'a'.repeat(40) }), []],
    [
      'on a domain that two apps share',
      draftOf({ apps: [APP, { ...APP, key: 'b', domains: [{ host: ' ${input.domain}' }] }] }),
      ['advice.shared-domain apps.1.domains.0.host'],
    ],
    [
      'not on a domain of apps with exclusive conditions',
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

test('advises on version ranges with an empty alternative', () => {
  assert.deepEqual(adviceOf(draftOf({ minCubeship: '^0.6 ||', minVersion: '|| ^1' })), [
    'advice.empty-alternative minCubeship',
    'advice.empty-alternative minVersion',
  ]);
});

test('limits the amount of advice without dropping errors', () => {
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
