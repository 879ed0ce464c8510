import assert from 'node:assert/strict';
import { it } from 'node:test';
import { names, tagOf } from './etag.ts';

it('tagOf ignores the fields with the time of the last observation', () => {
  const app = (at: string | null, name = 'web') => JSON.stringify({ name, observed_at: at, scale: 1 });
  assert.equal(tagOf(app('2026-01-01T00:00:00.000Z')), tagOf(app('2026-01-01T00:00:05.000Z')));
  assert.equal(tagOf(app('2026-01-01T00:00:00.000Z')), tagOf(app(null)));
  assert.notEqual(tagOf(app(null)), tagOf(app(null, 'api')));
  const user = (at: string | null) => JSON.stringify({ username: 'ada', last_seen_at: at });
  assert.equal(tagOf(user(null)), tagOf(user('2026-01-01T00:00:00.000Z')));
  const said = (text: string) => JSON.stringify({ name: text });
  assert.notEqual(tagOf(said('"observed_at":"1"')), tagOf(said('"observed_at":"2"')));
});

it('tagOf returns no tag for a response that is too long', () => {
  assert.equal(tagOf(JSON.stringify('x'.repeat(70_000))), undefined);
});

it('names accepts several weak or strong tags or a wildcard', () => {
  for (const header of ['*', ' * ', 'W/"a"', '"a"', '"x", "a"', 'W/"x",W/"a"'])
    assert.ok(names(header, 'W/"a"'), header);
  for (const header of ['', '"b"', 'a', '"a', 'W/"b", "c"']) assert.ok(!names(header, 'W/"a"'), header);
});
