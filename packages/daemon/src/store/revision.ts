import type { AppSpec, RevisionReason } from '@davit/api';
import type { Reader, Tx } from './store.ts';

export interface RevisionRow {
  number: number;
  changed_by: string;
  reason: RevisionReason;
  created_at: number;
  /** JSON of an AppSpec. */
  spec: string;
  /** The variables that were in effect, sealed. */
  variables: string;
}

export function revisionOfApp(db: Reader, appId: number, number: number): RevisionRow | undefined {
  return db.get(
    'SELECT number, changed_by, reason, created_at, spec, variables FROM revisions WHERE app_id = ? AND number = ?',
    appId,
    number,
  );
}

/** Newest first, those before a number when one is given. */
export function revisionsOfApp(
  db: Reader,
  appId: number,
  limit: number,
  before: number | null = null,
): Omit<RevisionRow, 'spec' | 'variables'>[] {
  return db.all(
    `SELECT number, changed_by, reason, created_at FROM revisions WHERE app_id = ? AND number < ?
     ORDER BY number DESC LIMIT ?`,
    appId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
}

export interface NewRevision {
  appId: number;
  number: number;
  spec: AppSpec;
  sealedVariables: string;
  changedBy: string;
  reason: RevisionReason;
  at: number;
}

export function insertRevision(tx: Tx, revision: NewRevision): void {
  tx.run(
    'INSERT INTO revisions (app_id, number, spec, variables, changed_by, reason, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    revision.appId,
    revision.number,
    JSON.stringify(revision.spec),
    revision.sealedVariables,
    revision.changedBy,
    revision.reason,
    revision.at,
  );
}
