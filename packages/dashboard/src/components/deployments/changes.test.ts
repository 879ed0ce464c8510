import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeRows, matches, servedBefore } from './changes.ts';

describe('changes between two revisions', () => {
  it('lists changed settings and variables and hides secret values', () => {
    const settings = [
      { path: 'port', from: 8080, to: null },
      { path: 'health.path', from: undefined, to: '/healthz' },
    ];
    const variables = [
      { key: 'ADDED', change: 'added' as const, from: null, to: 'a', secret: false },
      { key: 'SECRET', change: 'changed' as const, from: null, to: null, secret: true },
      { key: 'GONE', change: 'removed' as const, from: 'b', to: null, secret: false },
    ];
    assert.deepEqual(changeRows({ from: 1, to: 2, settings, variables }), [
      { name: 'port', from: '8080', to: 'null' },
      { name: 'health.path', from: null, to: '/healthz' },
      { name: 'ADDED', from: null, to: 'a' },
      { name: 'SECRET', from: 'hidden', to: 'hidden' },
      { name: 'GONE', from: 'b', to: null },
    ]);
  });
});

describe('servedBefore', () => {
  const known = [
    { id: 9, status: 'succeeded' as const },
    { id: 7, status: 'failed' as const },
    { id: 5, status: 'succeeded' as const },
    { id: 3, status: 'succeeded' as const },
  ];
  it('returns the newest earlier deployment with status succeeded', () => {
    assert.equal(servedBefore(8, known)?.id, 5);
    assert.equal(servedBefore(3, known), null);
  });
});

describe('deployment list filter', () => {
  const one = {
    id: 12,
    tag: 'v42',
    digest: 'sha256:abcdef',
    status: 'failed' as const,
    trigger: { kind: 'push' as const, by: 'ada', via: 'push' as const },
  };
  it('matches deployments by tag, digest, author, id and status', () => {
    for (const text of ['V42', 'abc', 'ada', '#12', ' ']) assert.ok(matches(one, { status: null, text }), text);
    assert.ok(!matches(one, { status: null, text: 'v43' }));
    assert.ok(matches(one, { status: 'failed', text: null }));
    assert.ok(!matches(one, { status: 'succeeded', text: 'v42' }));
  });
});
