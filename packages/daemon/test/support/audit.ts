import assert from 'node:assert/strict';
import type { AuditEvent, AuditPage, AuditVerification } from '@davit/api';
import type { TestDaemon } from '@davit/testkit';

/** Returns a page of the audit log, newest first. */
export async function rows(daemon: TestDaemon, query = '', key = daemon.key): Promise<AuditEvent[]> {
  const answer = await daemon.call('GET', `/api/audit?${query}`, undefined, key);
  assert.equal(answer.status, 200, answer.text);
  return (JSON.parse(answer.text) as AuditPage).events;
}

export async function verify(daemon: TestDaemon): Promise<AuditVerification> {
  const answer = await daemon.call('POST', '/api/audit/verify');
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text);
}

/** Changes the database without an audit row. */
export function tamper(daemon: TestDaemon, ...statements: string[]): void {
  daemon.core.store.trail.apart(() =>
    daemon.core.store.tx((tx) => {
      for (const sql of statements) tx.run(sql);
    }),
  );
}
