import { hash } from 'node:crypto';
import type { Sealer } from '../seal.ts';
import { orNull, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, insertOrReplace } from '../write.ts';

const ENTRY = selectFrom(
  'audit',
  'id, at, actor, key_id, key_name, via, ip, operation, target, project_id, outcome, status, times, request_id, hash',
);

/**
 * Row of the audit log. The hash of a row includes the hash of the previous row. `audit_head` contains an HMAC of the
 * newest hash, so Davit detects changed rows.
 */
export type AuditRow = Row<typeof ENTRY>;

export type AuditOutcome = AuditRow['outcome'];
export type NewAuditRow = Omit<AuditRow, 'id' | 'hash'>;

const HEAD = selectFrom('audit_head', 'last_id, last_hash, pruned_id, pruned_hash, broken_at, mac');

export type AuditHead = Row<typeof HEAD>;

const NEWEST = select({ id: orNull(sql.integer('max(id)')) });
const LINK = selectFrom('audit', 'id, hash');

/**
 * Returns the SHA-256 hash of an audit row. The hash includes the hash of the previous row, and all columns in a fixed
 * order.
 */
export function auditHash(previous: string, id: number, row: NewAuditRow): string {
  const { at, actor, key_id, key_name, via, ip, operation, target, project_id, outcome, status, times, request_id } =
    row;
  const who = [actor, key_id, key_name, via, ip];
  const what = [operation, target, project_id, outcome, status, times, request_id];
  return hash('sha256', previous + JSON.stringify([id, at, ...who, ...what]));
}

/**
 * Copies an audit row with only the columns of the database table, because the given object may have more properties.
 */
function fieldsOf(row: NewAuditRow): NewAuditRow {
  const { at, actor, key_id, key_name, via, ip } = row;
  const { operation, target, project_id, outcome, status, times, request_id } = row;
  return { at, actor, key_id, key_name, via, ip, operation, target, project_id, outcome, status, times, request_id };
}

/** Appends a row to the audit log. Also updates `audit_head`, which contains the newest hash of the hash chain. */
export function appendAudit(tx: Tx, sealer: Sealer, row: NewAuditRow): void {
  const head = headToGoOnFrom(tx, sealer);
  const id = head.last_id + 1;
  const hashed = auditHash(head.last_hash, id, row);
  insert(tx, 'audit', { id, ...fieldsOf(row), hash: hashed });
  writeHead(tx, sealer, { ...head, last_id: id, last_hash: hashed });
}

/**
 * Writes the first HMAC to the table `audit_head` if the audit log is empty. If an instance is not new, an empty audit
 * log is marked as manipulated.
 */
export function beginAudit(tx: Tx, sealer: Sealer, fresh: boolean): void {
  const head = auditHead(tx);
  if (head?.mac === '' && head.last_id === 0) writeHead(tx, sealer, { ...head, broken_at: fresh ? null : 1 });
}

export function auditHead(db: Reader): AuditHead | undefined {
  return db.get(HEAD.from('audit_head'));
}

/**
 * Returns whether the HMAC in `audit_head` is valid. A valid HMAC proves that this Davit instance wrote the newest
 * hash.
 */
export function isSealedHead(sealer: Sealer, head: AuditHead): boolean {
  return head.mac === macOf(sealer, head);
}

export function newestAuditId(db: Reader): number {
  return db.get(NEWEST.from('audit'))?.id ?? 0;
}

/** Returns the time of the newest audit row in milliseconds since the epoch. */
export function newestAuditTime(db: Reader): number | undefined {
  return auditRowsAfter(db, newestAuditId(db) - 1, 1)[0]?.at;
}

/** Returns the audit rows with an id greater than `id`, oldest first. */
export function auditRowsAfter(db: Reader, id: number, limit: number): AuditRow[] {
  return db.all(ENTRY.from('audit WHERE id > ? ORDER BY id LIMIT ?'), id, limit);
}

export interface AuditFilters {
  actor?: string | undefined;
  via?: string | undefined;
  operation?: string | undefined;
  outcome?: string | undefined;
  /** Resource name. The filter also finds resources inside this resource: `shop` finds `shop/production/web`. */
  target?: string | undefined;
  /** Start of the time range in milliseconds since the epoch. Both `from` and `to` are inclusive. */
  from?: number | undefined;
  to?: number | undefined;
  /** Audit rows that the caller may see, or `null` for all rows. */
  seen: SeenRows | null;
}

export interface SeenRows {
  /** Ids of the projects whose audit rows are visible. */
  projects: readonly number[];
  /**
   * Users whose audit rows without a project are visible. Rows before `since` are not visible, because they may be
   * about other projects. They may also be about another person with the same user name.
   */
  users: readonly { username: string; since: number }[];
}

/** Returns the audit rows with `low <= id < high` that match the filters, newest first. */
export function auditRowsBetween(
  db: Reader,
  { low, high, limit }: { low: number; high: number; limit: number },
  filters: AuditFilters,
): AuditRow[] {
  const { actor = null, via = null, operation = null, outcome = null, target = null } = filters;
  const { from = null, to = null, seen } = filters;
  return db.all(
    ENTRY.from(`audit WHERE id >= ? AND id < ?
       AND (?3 IS NULL OR actor = ?3) AND (?4 IS NULL OR via = ?4)
       AND (?5 IS NULL OR operation = ?5) AND (?6 IS NULL OR outcome = ?6)
       AND (?7 IS NULL OR target = ?7 OR substr(target, 1, length(?7) + 1) = ?7 || '/')
       AND (?8 IS NULL OR at >= ?8) AND (?9 IS NULL OR at <= ?9)
       AND (?10 IS NULL OR project_id IN (SELECT value FROM json_each(?10))
         OR (project_id IS NULL AND EXISTS (SELECT 1 FROM json_each(?11) WHERE key = actor AND value <= at)))
     ORDER BY id DESC LIMIT ?12`),
    low,
    high,
    actor,
    via,
    operation,
    outcome,
    target,
    from,
    to,
    seen && JSON.stringify(seen.projects),
    seen && JSON.stringify(Object.fromEntries(seen.users.map(({ username, since }) => [username, since]))),
    limit,
  );
}

/**
 * Deletes the oldest audit rows, at most `most` rows. Saves the hash of the last deleted row, because the verification
 * of the remaining rows needs this hash.
 */
export function pruneAudit(tx: Tx, sealer: Sealer, before: number, most: number): number {
  const head = headToGoOnFrom(tx, sealer);
  const kept = tx.get(LINK.from('audit WHERE at >= ? ORDER BY id LIMIT 1'), before);
  const last = Math.min(head.pruned_id + most, (kept?.id ?? head.last_id + 1) - 1);
  const row = tx.get(LINK.from('audit WHERE id = ?'), last);
  if (row === undefined || last <= head.pruned_id) return 0;
  tx.run('DELETE FROM audit WHERE id <= ?', last);
  writeHead(tx, sealer, { ...head, pruned_id: last, pruned_hash: row.hash });
  return last - head.pruned_id;
}

/**
 * Returns the end of the hash chain, to which the next audit row is appended. If the audit log was manipulated, the
 * chain continues after the newest row.
 */
function headToGoOnFrom(tx: Tx, sealer: Sealer): AuditHead {
  const head = auditHead(tx);
  const newest = newestAuditId(tx);
  const isOurs = head !== undefined && isSealedHead(sealer, head);
  // An invalid HMAC, or a row that is newer than `audit_head`, means that the audit log was manipulated.
  if (isOurs && newest <= head.last_id) return head;
  const [row] = newest === 0 ? [] : auditRowsAfter(tx, newest - 1, 1);
  return {
    last_id: newest,
    last_hash: row?.hash ?? '',
    pruned_id: head?.pruned_id ?? 0,
    pruned_hash: head?.pruned_hash ?? '',
    broken_at: head?.broken_at ?? (isOurs ? head.last_id + 1 : newest + 1),
    mac: '',
  };
}

function writeHead(tx: Tx, sealer: Sealer, head: AuditHead): void {
  insertOrReplace(tx, 'audit_head', {
    one: 1,
    last_id: head.last_id,
    last_hash: head.last_hash,
    pruned_id: head.pruned_id,
    pruned_hash: head.pruned_hash,
    broken_at: head.broken_at,
    mac: macOf(sealer, head),
  });
}

function macOf(sealer: Sealer, { last_id, last_hash, pruned_id, pruned_hash, broken_at }: AuditHead): string {
  return sealer.mac(JSON.stringify([last_id, last_hash, pruned_id, pruned_hash, broken_at]), 'audit_head');
}
