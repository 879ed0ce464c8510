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
      'on engines',
      draftOf({ databases: [{ key: 'db', engine: 'postgres' }], apps: [{ ...APP, attach: [{ database: 'db' }] }] }),
      ['advice.unpinned-engine databases.0.engine'],
    ],
    ['on health', draftOf({ apps: [noHealth] }), ['advice.no-health apps.0.key']],
    ['on limits', draftOf({ apps: [noLimits] }), ['advice.no-limits apps.0.key']],
    ['on tags', draftOf({ apps: [{ ...BARE, image: 'ghcr.io/a/b' }] }), ['advice.floating-tag apps.0.image']],
    ['not on tags of what has a digest', draftOf({ apps: [{ ...BARE, image: `ghcr.io/a/b@${DIGEST}` }] }), []],
    ['on Docker Hub', draftWith({ image: 'nginx' }), ['advice.dockerhub apps.0.image']],
    ['on unreachable apps', draftWith({ domains: [] }, { inputs: [] }), ['advice.unreachable-app apps.0.key']],
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
