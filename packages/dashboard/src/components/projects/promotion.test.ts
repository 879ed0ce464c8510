import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PromotionPlan } from '@davit/api';
import { nameOf, picked } from './promotion.ts';

function planned(app: string, plan: PromotionPlan['plan']): PromotionPlan {
  return { app, plan, skipped: plan ? null : 'It runs that already.', error: null };
}

test('selects only apps with a promotion plan and drops excluded apps', () => {
  const plan = { steps: [], changes: ['The tag changes from v4 to v3.'], rollback_of: null };
  const plans = [
    planned('shop/staging/web', plan),
    planned('shop/staging/api', plan),
    planned('shop/staging/old', null),
  ];
  assert.deepEqual(picked(plans, new Set()), ['web', 'api']);
  assert.deepEqual(picked(plans, new Set(['shop/staging/web'])), ['api']);
});

test('shortens an app reference to the app’s name', () => {
  assert.equal(nameOf('shop/staging/web'), 'web');
});
