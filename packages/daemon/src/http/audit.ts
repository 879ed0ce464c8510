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

/** Operation name in the audit log for unknown endpoints. The log must not contain text from the client instead. */
const UNKNOWN = 'unknown';
const TARGET_LENGTH = 200;
/** HTTP status in the audit log if the client disconnected before its request was complete. */
const GONE = 499;

/**
 * Handles a request and writes its row in the audit log. A request that changes data gets its row in the transaction
 * of its first change. Any other write gets its row together with its response. A read or a dry run gets a row only if
 * it was rejected or if it exported data. The first change fails if the caller has lost the necessary rights.
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
    // Public endpoints have no caller whose rights could be checked.
    if (exchange.caller !== null) rights.demand();
  };
  const response = await store.trail.during(entry, answer);
  // For an event stream or a shell, the response was already sent on the connection. Its status is the one that the
  // operation declares.
  const status = Object.is(response, ALREADY_SENT) ? declared() : response.status;
  const facts = () => factsOf(exchange, status, entry.subject, store);
  if (status >= 400 && entry.written) audit.add(facts(), 'failed');
  else if (status >= 400 && status !== GONE) {
    audit.refuse(facts(), status >= 500 ? 'failed' : 'refused', sourceOf(exchange));
  } else if (!entry.written && !exchange.isReplayed && !exchange.isPlan) audit.add(facts(), 'ok');
  // Work that continues after the response, for example a stream, gets no further row.
  entry.written = true;
  return response;
}

/**
 * Returns the audit log subject of a backup download, or `null` for other reads. A download exports all data of a
 * backup, including secrets, so it is logged like a change.
 */
function takenOut({ endpoint, target, params }: Exchange): Subject | null {
  if (endpoint?.operation !== operations.downloadBackup.id) return null;
  const { project_id: projectId } = target as Targets['backup'];
  return { target: `backups/${params.backup}`, projectId };
}

/**
 * Returns whether a read was rejected because of an invalid credential or missing rights. A request without a
 * credential does not count: the sign-in page sends one at each visit to check whether the user is signed in.
 */
function isRefusedRead(exchange: Exchange, status: number): boolean {
  return status === 403 || (status === 401 && showsCredential(exchange));
}

/** Returns the source by which rejected requests are counted: the user, or the client's network. */
function sourceOf(exchange: Exchange): string {
  const { caller } = exchange;
  return caller ? `user ${caller.actor.username}` : addressNetwork(callerAddress(exchange));
}

/**
 * Returns the audit log fields for an additional row. Used for work that continues after the response, for example a
 * shell.
 */
export function auditFacts(exchange: Exchange, status: number, db: Reader): AuditFacts {
  return factsOf(exchange, status, null, db);
}

/**
 * Returns the fields of an audit log row: user, IP address, operation, and the names in the URL path. They never
 * contain the query or the body.
 */
function factsOf(exchange: Exchange, status: number, subject: Subject | null, db: Reader): AuditFacts {
  const { caller, endpoint, requestId } = exchange;
  const { credential } = caller ?? {};
  const key = credential?.kind === 'key' ? credential : null;
  return {
    // A successful sign-in has no caller yet. Its user is in the subject.
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

/**
 * Returns the origin (`via`) of a request without a caller. Public endpoints are used by the dashboard's sign-in page.
 */
function strangersVia(exchange: Exchange): Via {
  if (exchange.local) return 'local';
  const via = viaOf(exchange);
  return via === 'api' && exchange.endpoint?.access === 'public' ? 'dashboard' : via;
}

/** Scopes whose objects have only numbers. Their audit log target contains the noun, for example `backups/3`. */
const NUMBERED: ReadonlySet<Scope | undefined> = new Set(['backup', 'install', 'task']);

/**
 * Returns the audit log target from the names in the URL path. For parts of an app, the target contains the noun:
 * `shop/production/web/volumes/3`. API keys in the path are masked.
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

/**
 * Returns the project ID for the audit log. `null` means that the request has no project, and 0 that the project does
 * not exist.
 */
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
