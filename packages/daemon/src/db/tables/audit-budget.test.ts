import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NewAuditRow } from './audit.ts';
import { MANY, RefusalBudget } from './audit-budget.ts';

const MINUTE = 60_000;

function row(fields: Partial<NewAuditRow> = {}): NewAuditRow {
  return {
    at: 0,
    actor: 'ada',
    key_id: null,
    key_name: null,
    via: 'api',
    ip: '192.0.2.1',
    operation: 'getApp',
    target: 'shop/production/web',
    project_id: 1,
    outcome: 'refused',
    status: 403,
    times: 1,
    request_id: 'request',
    ...fields,
  };
}

/** Returns the number of requests that the rows represent. */
const total = (rows: NewAuditRow[]) => rows.reduce((sum, { times }) => sum + times, 0);

describe('audit records of refused requests', () => {
  it('have a row for each request while requests are few', () => {
    const budget = new RefusalBudget();
    for (let i = 0; i < 20; i++) budget.take(row({ target: `${i}` }), 'user ada', 0);
    assert.deepEqual(
      budget.drain(0).map(({ target, times }) => [target, times]),
      Array.from({ length: 20 }, (_, i) => [`${i}`, 1]),
    );
    assert.equal(budget.isHolding, false);
  });

  it('are counted by source and status each minute if requests are many', () => {
    const budget = new RefusalBudget();
    for (let i = 0; i < 100; i++) budget.take(row(), 'user ada', i);
    for (let i = 0; i < 30; i++) budget.take(row({ status: 404 }), 'user ada', i);
    for (let i = 0; i < 5; i++) budget.take(row({ actor: 'bob' }), 'user bob', i);
    assert.equal(total(budget.drain(1_000)), 25);
    assert.equal(budget.isHolding, true);
    assert.equal(budget.drain(MINUTE - 1).length, 0);

    const rest = budget.drain(MINUTE);
    assert.deepEqual(
      rest.map(({ actor, operation, target, project_id, status, times }) => ({
        actor,
        operation,
        target,
        project_id,
        status,
        times,
      })),
      [
        { actor: 'ada', operation: MANY, target: '', project_id: null, status: 403, times: 80 },
        { actor: 'ada', operation: MANY, target: '', project_id: null, status: 404, times: 30 },
      ],
    );
  });

  it('share a single budget for all anonymous requests', () => {
    const budget = new RefusalBudget();
    for (let i = 0; i < 10_000; i++) budget.take(row({ actor: null, ip: `10.0.${i}` }), `network ${i}`, 0);
    const rows = [...budget.drain(0), ...budget.drain(MINUTE)];
    assert.equal(rows.length, 61);
    assert.equal(total(rows), 10_000);
    assert.deepEqual([rows.at(-1)?.ip, rows.at(-1)?.times], ['', 9_940]);
  });

  it('are written immediately when the budget closes', () => {
    const budget = new RefusalBudget();
    for (let i = 0; i < 100; i++) budget.take(row(), 'user ada', 0);
    budget.close();
    assert.equal(total(budget.drain(0)), 100);
  });
});
