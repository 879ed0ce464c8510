import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markerKinds } from './marker-kinds.ts';

test('the legend of markers lists each kind within the time range of the chart once', () => {
  const marker = (at: number, kind: string, tone: 'text' | 'error') => ({ at, kind, tone, says: '' });
  const markers = [
    marker(1, 'cancelled', 'error'),
    marker(5, 'failed', 'error'),
    marker(6, 'done', 'text'),
    marker(7, 'done', 'text'),
  ];
  assert.deepEqual(markerKinds(markers, { from: 5 }), [
    { kind: 'done', tone: 'text' },
    { kind: 'failed', tone: 'error' },
  ]);
  assert.deepEqual(markerKinds(markers, { from: 8 }), []);
});
