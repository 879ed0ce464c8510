import { setImmediate as nextTurn } from 'node:timers/promises';
import { type AuditEvent, type AuditPage, type AuditQuery, type AuditVerification, timestamp } from '@davit/api';
import type { Actor, OpContext } from '../../auth/context.ts';
import { demandAllProjects, seesUser } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import {
  type AuditFilters,
  type AuditHead,
  type AuditRow,
  auditHash,
  auditHead,
  auditRowsAfter,
  auditRowsBetween,
  isSealedHead,
  newestAuditId,
  type SeenRows,
} from '../../db/tables/audit.ts';
import { listUsers } from '../../db/tables/user.ts';
import type { AuditDeps } from './deps.ts';

/**
 * Number of rows of the audit log that Davit reads before it handles other API requests. Reading these rows takes a few
 * milliseconds.
 */
const SEARCHED_AT_ONCE = 2_000;
const CHECKED_AT_ONCE = 400;

/**
 * Returns a page of the audit log, newest entries first.
 * @throws Interrupted, ClientGone from `ctx.signal`
 */
export async function listAudit({ store, audit }: AuditDeps, ctx: OpContext, query: AuditQuery): Promise<AuditPage> {
  audit.flush();
  const filters = { ...filtersOf(query), seen: seenRows(store, ctx.actor) };
  const rows: AuditRow[] = [];
  let high = Math.min(query.before ?? Number.MAX_SAFE_INTEGER, newestAuditId(store) + 1);
  // Read one row more than requested, to find out whether the audit log has another page.
  while (high > 1 && rows.length <= query.limit) {
    const low = Math.max(1, high - SEARCHED_AT_ONCE);
    rows.push(...auditRowsBetween(store, { low, high, limit: query.limit + 1 - rows.length }, filters));
    high = low;
    /*
     * If few rows match the filter, the search may read the whole audit log. So let other API requests run between the
     * parts of the search.
     */
    await nextTurn();
    ctx.signal.throwIfAborted();
  }
  const events = rows.slice(0, query.limit).map(present);
  return { events, next: rows.length > query.limit ? (events.at(-1)?.id ?? null) : null };
}

/**
 * Verifies the hash chain of the audit log. Rows that are added during the verification are not verified.
 * @throws DavitError forbidden
 * @throws Interrupted, ClientGone from `ctx.signal`
 */
export async function verifyAudit(core: AuditDeps, ctx: OpContext): Promise<AuditVerification> {
  // Require access to all projects, because the audit log contains entries about all projects.
  demandAllProjects(ctx.actor, 'verify the audit log');
  const { store, sealer, audit } = core;
  audit.flush();
  const head = auditHead(store);
  const newest = newestAuditId(store);
  if (head === undefined) return { ok: false, checked: 0, head: '', broken_at: newest + 1 };
  const walk = await walkChain(core, ctx, head);
  const broken = walk.brokenAt ?? endOf(head, newest, isSealedHead(sealer, head));
  const result = { checked: walk.checked, head: head.last_hash };
  return broken === null ? { ok: true, ...result } : { ok: false, ...result, broken_at: broken };
}

interface Walk {
  checked: number;
  /** Id of the first audit row that was changed or is missing, or `null` if all rows are correct. */
  brokenAt: number | null;
}

/** Verifies the audit log in parts, so that other API requests can run in between. */
async function walkChain({ store, sealer }: AuditDeps, { signal }: OpContext, head: AuditHead): Promise<Walk> {
  let [id, hash, checked] = [head.pruned_id, head.pruned_hash, 0];
  while (id < head.last_id) {
    const rows = auditRowsAfter(store, id, Math.min(CHECKED_AT_ONCE, head.last_id - id));
    const wrong = firstWrong(rows, id, hash);
    if (wrong !== null || rows.length === 0) {
      const moved = auditHead(store);
      const isPruned = moved && moved.pruned_id > id && isSealedHead(sealer, moved);
      if (!isPruned) return { checked, brokenAt: wrong ?? id + 1 };
      // Davit may delete expired rows of the audit log during the verification. Skip the deleted rows.
      [id, hash] = [moved.pruned_id, moved.pruned_hash];
      continue;
    }
    const last = rows[rows.length - 1] as AuditRow;
    [id, hash, checked] = [last.id, last.hash, checked + rows.length];
    await nextTurn();
    signal.throwIfAborted();
  }
  return { checked, brokenAt: id === head.last_id && hash !== head.last_hash ? head.last_id : null };
}

/** Returns the id of the first audit row that breaks the hash chain, or `null` if the chain is correct. */
function firstWrong(rows: readonly AuditRow[], id: number, hash: string): number | null {
  let [previous, expected] = [hash, id + 1];
  for (const row of rows) {
    if (row.id !== expected || row.hash !== auditHash(previous, row.id, row)) return expected;
    [previous, expected] = [row.hash, expected + 1];
  }
  return null;
}

/**
 * Compares the last verified row of the audit log with the last row according to the table `audit_head`.
 * @returns id of the first wrong row, or `null`
 */
function endOf(head: AuditHead, newest: number, isSealed: boolean): number | null {
  if (head.broken_at !== null) return head.broken_at;
  if (newest > head.last_id) return head.last_id + 1;
  return isSealed ? null : Math.max(head.last_id, 1);
}

/** Returns a filter for the audit rows that a user may see, or `null` if the user may see all rows. */
function seenRows(db: Reader, actor: Actor): SeenRows | null {
  if (actor.projects === null) return null;
  /*
   * A row without a project, such as a sign-in, has only a user. Show the row only if the current user may see that
   * user.
   */
  const users = listUsers(db).filter((row) => seesUser(actor, row));
  const seen = users.map(({ username, created_at, projects_at }) => ({
    username,
    since: Math.max(created_at, projects_at),
  }));
  return { projects: actor.projects, users: seen };
}

function filtersOf({ user, from, to, ...query }: AuditQuery): Omit<AuditFilters, 'seen'> {
  const ms = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));
  const { via, operation, outcome, target } = query;
  return { actor: user, via, operation, outcome, target, from: ms(from), to: ms(to) };
}

function present(row: AuditRow): AuditEvent {
  const { id, actor, ip, operation, target, outcome, status, times, request_id, hash } = row;
  return {
    id,
    at: timestamp(row.at),
    actor,
    key: row.key_id === null ? null : { id: row.key_id, name: row.key_name ?? '' },
    via: row.via,
    ip,
    operation,
    target,
    outcome,
    status,
    times,
    request_id,
    hash,
  };
}
