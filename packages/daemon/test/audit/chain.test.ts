/** Changes of the audit log directly in the database are detected. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bootDaemon, project, type TestDaemon } from '@davit/testkit';
import { auditHash, auditRowsAfter, newestAuditId } from '../../src/db/tables/audit.ts';
import { tamper, verify } from '../support/audit.ts';

describe('audit log verification', () => {
  const REST = 'key_id, key_name, via, ip, operation, target, project_id, outcome, status, times, request_id, hash';
  const NEW_TAIL = `INSERT INTO audit SELECT 11, at, 'mallory', ${REST} FROM audit WHERE id = 10`;
  const COPY = `INSERT INTO audit SELECT 6, at, 'mallory', ${REST} FROM audit WHERE id = 5`;
  const moveRow = (to: string) => `UPDATE audit SET id = ${to}`;
  /** Returns a statement that moves one end of the chain without its code. */
  const moveHead = (end: 'last' | 'pruned', id: number) =>
    `UPDATE audit_head SET ${end}_id = ${id}, ${end}_hash = (SELECT hash FROM audit WHERE id = ${id})`;
  const attacks: [name: string, statements: string[], brokenAt: number][] = [
    ['changes a field', ["UPDATE audit SET actor = 'mallory' WHERE id = 5"], 5],
    ['changes a response status', ['UPDATE audit SET status = 299 WHERE id = 5'], 5],
    ['changes a hash', [`UPDATE audit SET hash = '${'0'.repeat(64)}' WHERE id = 5`], 5],
    ['removes a row', ['DELETE FROM audit WHERE id = 5'], 5],
    [
      'removes a row and renumbers the later rows',
      ['DELETE FROM audit WHERE id = 5', 'UPDATE audit SET id = id - 1 WHERE id > 5'],
      5,
    ],
    ['adds a row at the end', [NEW_TAIL], 11],
    [
      'inserts a row in the middle',
      ['UPDATE audit SET id = -id WHERE id > 5', 'UPDATE audit SET id = 1 - id WHERE id < 0', COPY],
      6,
    ],
    ['swaps two rows', ['6 WHERE id = 99', '5 WHERE id = 6', '99 WHERE id = 5'].map(moveRow).toReversed(), 5],
    ['removes the newest rows', ['DELETE FROM audit WHERE id > 7'], 8],
    ['removes the oldest rows', ['DELETE FROM audit WHERE id < 4'], 1],
    ['removes all rows', ['DELETE FROM audit'], 1],
    ['removes the newest rows and moves the head', ['DELETE FROM audit WHERE id > 7', moveHead('last', 7)], 7],
    ['removes the oldest rows and moves the start', [moveHead('pruned', 3), 'DELETE FROM audit WHERE id < 4'], 10],
    ['removes the head', ['DELETE FROM audit_head'], 11],
    ['begins a new log', ['DELETE FROM audit', "UPDATE audit_head SET last_id = 0, last_hash = '', mac = ''"], 1],
  ];

  for (const [name, statements, brokenAt] of attacks) {
    it(`detects an attacker who ${name}, even after more rows and a restart`, async () => {
      await using daemon = await tenRows();
      tamper(daemon, ...statements);
      await assertFound(daemon, brokenAt);
    });
  }

  it('detects an attacker who rewrites all rows with correct hashes', async () => {
    await using daemon = await tenRows();
    const { store } = daemon.core;
    let previous = '';
    const statements: string[] = [];
    for (const row of auditRowsAfter(store, 0, 100)) {
      previous = auditHash(previous, row.id, { ...row, actor: 'mallory' });
      statements.push(`UPDATE audit SET actor = 'mallory', hash = '${previous}' WHERE id = ${row.id}`);
    }
    tamper(daemon, ...statements);
    await assertFound(daemon, 10);
  });

  it('detects an attacker who rewrites the newest row and moves the head', async () => {
    await using daemon = await tenRows();
    const [last] = auditRowsAfter(daemon.core.store, 9, 1);
    const forged = auditHash('', 1, last ?? assert.fail('there is no row'));
    tamper(daemon, `UPDATE audit SET hash = '${forged}' WHERE id = 10`, moveHead('last', 10));
    await assertFound(daemon, 10);
  });

  /** Returns a daemon with ten audit rows: the claim, its key, and eight projects. */
  async function tenRows(): Promise<TestDaemon> {
    const daemon = await bootDaemon();
    for (let i = 0; i < 8; i++) await project(daemon, `project-${i}`);
    assert.equal(newestAuditId(daemon.core.store), 10);
    return daemon;
  }

  async function assertFound(daemon: TestDaemon, brokenAt: number): Promise<void> {
    const found = await verify(daemon);
    assert.deepEqual([found.ok, found.broken_at], [false, brokenAt]);
    await project(daemon);
    assert.equal((await verify(daemon)).ok, false);
    await daemon.restart();
    await project(daemon);
    assert.equal((await verify(daemon)).ok, false);
  }
});
