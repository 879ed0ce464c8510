import type { AppSpec, RevisionReason } from '@davit/api';
import { type Row, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

const REVISION = selectFrom('revisions', 'number, changed_by, reason, created_at, spec, variables');

export type RevisionRow = Row<typeof REVISION>;

const LISTED = selectFrom('revisions', 'number, changed_by, reason, created_at');

export function revisionOfApp(db: Reader, appId: number, number: number): RevisionRow | undefined {
  return db.get(REVISION.from('revisions WHERE app_id = ? AND number = ?'), appId, number);
}

/**
 * Returns the settings revisions of an app, newest first.
 * @param before only revisions with a lower number are returned. `null` means no limit.
 */
export function revisionsOfApp(
  db: Reader,
  appId: number,
  limit: number,
  before: number | null = null,
): Row<typeof LISTED>[] {
  return db.all(
    LISTED.from('revisions WHERE app_id = ? AND number < ? ORDER BY number DESC LIMIT ?'),
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
  insert(tx, 'revisions', {
    app_id: revision.appId,
    number: revision.number,
    spec: JSON.stringify(revision.spec),
    variables: revision.sealedVariables,
    changed_by: revision.changedBy,
    reason: revision.reason,
    created_at: revision.at,
  });
}
