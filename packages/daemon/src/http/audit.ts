import { operations, type Scope, type Via } from '@davit/api';
import { ALREADY_SENT } from '@davit/service';
import { type AuthenticationParts, showsCredential, viaOf } from '../auth/actor.ts';
import { addressNetwork, callerAddress } from '../auth/facts.ts';
import type { Targets } from '../authorization/lookup.ts';
import type { Reader } from '../db/store.ts';
import type { AuditFacts, AuditLog } from '../db/tables/audit-log.ts';
import type { Subject } from '../db/tables/audit-trail.ts';
import { projectBySlug } from '../db/tables/project.ts';
import type { Exchange } from './exchange.ts';
import { Rights } from './rights.ts';

export interface RequestAuditParts extends AuthenticationParts {
  audit: AuditLog;
}

/** Name of all operations that do not exist. The log must not contain the caller's text instead. */
const UNKNOWN = 'unknown';
const TARGET_LENGTH = 200;
/** Status of a request whose client disconnected before the request was complete. */
const GONE = 499;

/**
 * Answers a request and writes its row in the audit log. A request that changes data gets its row in the transaction of
 * its first change. Every other write gets its row when the response is known. A read or a plan gets a row only if it
 * was refused or if it exported data. The first change fails if the caller has lost the rights for it.
 */
export async function audited<A extends { status: number }>(
  exchange: Exchange,
  parts: RequestAuditParts,
  answer: () => Promise<A>,
): Promise<A> {
  const { store, audit } = parts;
  if (!exchange.isApi) return answer();
  if (exchange.isRead) {
    const response = await answer();
    const taken = response.status === 200 ? takenOut(exchange) : null;
    if (taken !== null) audit.add(factsOf(exchange, 200, taken, store), 'ok');
    if (isRefusedRead(exchange, response.status) && exchange.endpoint !== null) {
      audit.refuse(factsOf(exchange, response.status, null, store), 'refused', sourceOf(exchange));
    }
    return response;
  }
  const declared = () => exchange.endpoint?.success(exchange.query as Record<string, unknown>) ?? 200;
  const entry = audit.entry((subject) => factsOf(exchange, subject?.status ?? declared(), subject, store));
  const rights = new Rights(parts, exchange);
  entry.demandRights = () => {
    // Public routes have no caller.
    if (exchange.caller !== null) rights.demand();
  };
  const response = await store.trail.during(entry, answer);
  // A connection that became a stream or a shell has the declared status.
  const status = Object.is(response, ALREADY_SENT) ? declared() : response.status;
  const facts = () => factsOf(exchange, status, entry.subject, store);
  if (status >= 400 && entry.written) audit.add(facts(), 'failed');
  else if (status >= 400 && status !== GONE) {
    audit.refuse(facts(), status >= 500 ? 'failed' : 'refused', sourceOf(exchange));
  } else if (!entry.written && !exchange.isReplayed && !exchange.isPlan) audit.add(facts(), 'ok');
  // Work that continues in the background, for example a stream, gets no additional row.
  entry.written = true;
  return response;
}

/**
 * Returns the subject of a read that exports all data of a backup, including secrets. The audit log records such a read
 * like a change.
 */
function takenOut({ endpoint, target, params }: Exchange): Subject | null {
  if (endpoint?.operation !== operations.downloadBackup.id) return null;
  const { project_id: projectId } = target as Targets['backup'];
  return { target: `backups/${params.backup}`, projectId };
}

/**
 * Returns whether a read was refused because of an invalid credential or a missing right. A request without a
 * credential does not count. The sign-in page sends such a request at each visit to find out whether the user is signed
 * in.
 */
function isRefusedRead(exchange: Exchange, status: number): boolean {
  return status === 403 || (status === 401 && showsCredential(exchange));
}

/** Returns the source by which refused requests are counted. */
function sourceOf(exchange: Exchange): string {
  const { caller } = exchange;
  return caller ? `user ${caller.actor.username}` : addressNetwork(callerAddress(exchange));
}

/** Returns the facts for an additional row about work that a request began and that ends later. */
export function auditFacts(exchange: Exchange, status: number, db: Reader): AuditFacts {
  return factsOf(exchange, status, null, db);
}

/** Returns the facts of a row: user, address, and the names in the path. The query and the body are not included. */
function factsOf(exchange: Exchange, status: number, subject: Subject | null, db: Reader): AuditFacts {
  const { caller, endpoint, requestId } = exchange;
  const { credential } = caller ?? {};
  const key = credential?.kind === 'key' ? credential : null;
  return {
    // A successful sign-in or claim has no caller yet. The actor of such a row is the user in the subject.
    actor: caller?.actor.username ?? (status < 400 ? (subject?.target ?? null) : null),
    key_id: key?.id ?? null,
    key_name: key?.name ?? null,
    via: caller?.actor.via ?? strangersVia(exchange),
    ip: callerAddress(exchange),
    operation: endpoint?.operation ?? UNKNOWN,
    target: subject?.target ?? targetOf(exchange),
    project_id: subject?.projectId ?? projectOf(exchange, db),
    status,
    request_id: requestId,
  };
}

/** Returns the origin of a request without a caller. The public routes belong to the sign-in page. */
function strangersVia(exchange: Exchange): Via {
  if (exchange.local) return 'local';
  const via = viaOf(exchange);
  return via === 'api' && exchange.endpoint?.access === 'public' ? 'dashboard' : via;
}

/** Scopes whose names are only numbers. Their target needs the noun, for example `backups/3`. */
const NUMBERED: ReadonlySet<Scope | undefined> = new Set(['backup', 'install', 'task']);

/**
 * Returns the names in the path. For a part of an app, the target includes the noun: `shop/production/web/volumes/3`.
 * API keys in the path are masked.
 */
function targetOf({ endpoint, params }: Exchange): string {
  const parts = NUMBERED.has(endpoint?.needs?.scope) ? endpoint?.path : endpoint?.path.split('{app}/')[1];
  const below = parts?.split('/') ?? [];
  const nouns = new Map(below.map((part, i) => [part.slice(1, -1), below[i - 1]]));
  const names = Object.entries(params).map(([name, value]) => {
    const noun = nouns.get(name);
    return noun === undefined ? value : `${noun}/${value}`;
  });
  const text = names.join('/').slice(0, TARGET_LENGTH);
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?').replaceAll(/davit_[0-9a-f]+/g, 'davit_…');
}

/** Returns the id of the project, `null` if the request has no project, or 0 if the project does not exist. */
function projectOf({ endpoint, target, params }: Exchange, db: Reader): number | null {
  const found = target as { id: number; project?: { id: number }; app?: { project: { id: number } } } | null;
  switch (found === null ? 'instance' : endpoint?.needs?.scope) {
    case 'project':
      return found?.id ?? 0;
    case 'environment':
    case 'app':
      return found?.project?.id ?? 0;
    case 'backup':
    case 'database':
    case 'install':
    case 'object_store':
    case 'task':
      return (target as { project_id: number | null }).project_id;
    case 'deployment':
      return found?.app?.project.id ?? 0;
    default:
      return params.project === undefined ? null : (projectBySlug(db, params.project)?.id ?? 0);
  }
}
