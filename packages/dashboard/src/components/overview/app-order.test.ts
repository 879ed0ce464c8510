import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppStatus } from '@davit/api';
import type { AppFigures } from '../apps/figures.ts';
import { inOrder, matching } from './app-order.ts';

function app(reference: string, status: AppStatus = 'running', live_tag: string | null = 'v1') {
  return { reference, status, live_tag };
}

const names = (apps: readonly { reference: string }[]) => apps.map(({ reference }) => reference);

test('sorts apps by severity of status, then by name', () => {
  const apps = [app('b'), app('s', 'stopped'), app('a'), app('n', 'pending'), app('g', 'degraded'), app('d', 'down')];
  assert.deepEqual(names(inOrder(apps, 'worst')), ['d', 'g', 'a', 'b', 'n', 's']);
  assert.deepEqual(names(inOrder(apps, 'name')), ['a', 'b', 'd', 'g', 'n', 's']);
});

test('sorts apps by resource usage and puts unmeasured apps last', () => {
  const measured: Record<string, Partial<AppFigures>> = {
    a: { cpu_percent: 1, memory_bytes: 30, requests_per_s: null },
    b: { cpu_percent: 9, memory_bytes: 20, requests_per_s: 4 },
  };
  const figuresOf = (reference: string) => measured[reference] as AppFigures | undefined;
  const apps = [app('a'), app('b'), app('0')];
  assert.deepEqual(names(inOrder(apps, 'cpu', figuresOf)), ['b', 'a', '0']);
  assert.deepEqual(names(inOrder(apps, 'memory', figuresOf)), ['a', 'b', '0']);
  assert.deepEqual(names(inOrder(apps, 'requests', figuresOf)), ['b', '0', 'a']);
});

test('finds apps by words of reference, status and tag', () => {
  const apps = [app('shop/production/web', 'down', 'v3'), app('blog/production/site')];
  assert.deepEqual(names(matching(apps, ' Down v3 ')), ['shop/production/web']);
  assert.deepEqual(names(matching(apps, 'blog prod')), ['blog/production/site']);
  assert.deepEqual(names(matching(apps, '')), names(apps));
  assert.deepEqual(matching(apps, 'blog down'), []);
});
