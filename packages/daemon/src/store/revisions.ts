import type { AppSpec } from '@davit/api';
import type { Reader, Tx } from './store.ts';

export interface RevisionRow {
  /** JSON of an AppSpec. */
  spec: string;
  /** The variables that were in effect, sealed. */
  variables: string;
}

export function revisionOfApp(db: Reader, appId: number, number: number): RevisionRow | undefined {
  return db.get('SELECT spec, variables FROM revisions WHERE app_id = ? AND number = ?', appId, number);
}

export interface NewRevision {
  appId: number;
  number: number;
  spec: AppSpec;
  sealedVariables: string;
  changedBy: string;
  reason: string;
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
