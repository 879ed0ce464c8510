import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, adviceOf, DB, DOMAIN, draftOf, draftWith } from '../../test/support/drafts.ts';
import type { Draft } from '../draft.ts';
import { scopeOf } from '../meaning/scope.ts';
import { LIMITS } from '../yaml/limits.ts';
import { giveAdvice } from './advice.ts';

/** App without a source. Tests add a build source or an image. */
const { image: _image, tag: _tag, ...BARE } = APP;

describe('advice on malformed references', () => {
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
  for (const text of far)
    test(`gives no advice on ${text}`, () => assert.deepEqual(adviceOf(draftWith({ env: { A: text } })), []));

  const hints: [text: string, hint: string][] = [
    ['${{ apps.web.internal }}', 'Write `${app.web.internal}`.'],
    ['${inputs.domain}', 'Write `${input.domain}`.'],
    ['https://${input.domain/path', 'Write `${input.domain}`.'],
    ['${app.web.Host}', 'Write `${app.web.internal}`, `${app.web.host}` or `${app.web.port}`.'],
    ['${ input.nope }', 'Write `${input.<key>}`.'],
  ];
  for (const [text, hint] of hints) {
    test(`suggests the correct reference instead of ${text}`, () => {
      const scope = scopeOf(draftWith({ env: { A: text } }));
      giveAdvice(scope);
      assert.equal(scope.said()[0]?.hint, hint);
    });
  }
});

describe('advice on references in unsupported fields', () => {
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
      'in a database name',
      draftWith({ attach: [{ database: 'db' }] }, { databases: [{ ...DB, database: text }] }),
      'databases.0.database',
    ],
  ];
  for (const [what, draft, at] of cases) {
    test(what, () => assert.deepEqual(adviceOf(draft), [`advice.reference-ignored ${at}`]));
  }
});

test('checks only a limited number of possible references per template', () => {
  const many = '$ {input.x}'.repeat(LIMITS.references);
  assert.deepEqual(adviceOf(draftWith({ env: { A: many, B: '${inputs.domain}' } })).length, 201);
  const others = '$ {var.x}'.repeat(LIMITS.references);
  assert.deepEqual(adviceOf(draftWith({ env: { A: others, B: '${inputs.domain}' } })), []);
});
