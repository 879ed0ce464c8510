import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PromotionPlan } from '@davit/api';
import { nameOf, picked } from './promotion.ts';

function planned(app: string, plan: PromotionPlan['plan']): PromotionPlan {
  return { app, plan, skipped: plan ? null : 'It runs that already.', error: null };
}

test('what is asked for is what can be promoted and was not left out', () => {
  const plan = { steps: [], changes: ['The tag changes from v4 to v3.'] };
  const plans = [
    planned('shop/staging/web', plan),
    planned('shop/staging/api', plan),
    planned('shop/staging/old', null),
  ];
  assert.deepEqual(picked(plans, new Set()), ['web', 'api']);
  assert.deepEqual(picked(plans, new Set(['shop/staging/web'])), ['api']);
});

test('an app is named by the last part of its reference', () => {
  assert.equal(nameOf('shop/staging/web'), 'web');
});
