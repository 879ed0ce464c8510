import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeRows, matches, releaseChanges, servedBefore } from './changes.ts';

describe('changes between two revisions', () => {
  it('lists changed settings and variables, and marks secret values', () => {
    const settings = [
      { path: 'port', from: 8080, to: null },
      { path: 'health.path', from: undefined, to: '/healthz' },
    ];
    const variables = [
      { key: 'ADDED', change: 'added' as const, from: null, to: 'a', secret: false },
      { key: 'DATABASE_PASSWORD', change: 'added' as const, from: null, to: 'p4ss', secret: true },
      { key: 'GONE', change: 'removed' as const, from: 'b', to: null, secret: false },
      { key: 'UNREADABLE', change: 'changed' as const, from: null, to: null, secret: true },
    ];
    const plain = (value: string) => ({ value, secret: false });
    const secret = (value: string | null) => ({ value, secret: true });
    assert.deepEqual(changeRows({ from: 1, to: 2, settings, variables }), [
      { name: 'port', from: plain('8080'), to: plain('null') },
      { name: 'health.path', from: null, to: plain('/healthz') },
      { name: 'ADDED', from: null, to: plain('a') },
      { name: 'DATABASE_PASSWORD', from: null, to: secret('p4ss') },
      { name: 'GONE', from: plain('b'), to: null },
      { name: 'UNREADABLE', from: secret(null), to: secret(null) },
    ]);
  });
});

describe('changes between two releases', () => {
  it('omit the scale, limits and labels, which are the same for all releases of an app', () => {
    const settings = ['scale', 'limits.cpu', 'labels.team', 'port'].map((path) => ({ path, from: 2, to: 1 }));

    const rows = releaseChanges({ from: 3, to: 1, settings, variables: [] });

    assert.deepEqual(
      rows.map(({ name }) => name),
      ['port'],
    );
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
