import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, adviceOf, draftOf } from '../../test/support/drafts.ts';
import type { DraftApp } from '../draft.ts';
import { scopeOf } from '../meaning/scope.ts';
import { giveAdvice } from './advice.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
/** App without a source. Tests add a build source or an image. */
const { image: _image, tag: _tag, ...BARE } = APP;

describe('advice on sources', () => {
  const repo = 'https://github.com/acme/shop';
  const cases: [source: Partial<DraftApp>, advice: string[]][] = [
    [{ image: 'ghcr.io/a/b', tag: 'latest' }, ['advice.latest-tag apps.0.tag']],
    [{ image: 'acme/shop', tag: '1' }, ['advice.dockerhub-user apps.0.image']],
    [{ image: `ghcr.io/a/b@${DIGEST}`, tag: '1' }, ['advice.digest-and-tag apps.0.tag']],
    [{ image: 'ghcr.io/A/b', tag: '1' }, []],
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

  test('does not repeat credentials of a repository URL', () => {
    const scope = scopeOf(draftOf({ apps: [{ ...BARE, repo: 'https://me:swordfish@a.b/c', build: 'railpack' }] }));
    giveAdvice(scope);
    assert.doesNotMatch(JSON.stringify(scope.said()), /swordfish/);
  });
});
