import { operations, type Scope, type Via } from '@davit/api';
import { ALREADY_SENT } from '@davit/service';
import { type AuthenticationParts, showsCredential, viaOf } from '../auth/actor.ts';
import { addressNetwork, callerAddress } from '../auth/facts.ts';
import { demandNoDeletion } from '../authorization/deletion.ts';
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

/**
 * Value of `operation` in the audit log for requests to unknown endpoints. The URL path is not used, because the audit
 * log must not contain text from the client.
 */
const UNKNOWN = 'unknown';
const TARGET_LENGTH = 200;
/** HTTP status in the audit log if the client disconnected before its request was complete. */
const GONE = 499;

/**
 * Handles a request and writes an audit row in the same transaction as the first change. This transaction fails if the
 * caller has lost permissions, or if a task deletes the project.
 */
export async function audited<A extends { status: number }>(
  exchange: Exchange,
  parts: RequestAuditParts,
  answer: () => Promise<A>,
): Promise<A> {
  const { store, audit } = parts;
  if (!exchange.isApi) return answer();
  // A read request gets an audit row only if it was rejected or exported data.
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
    // A request to a public endpoint has no caller, so there are no permissions to check.
    if (exchange.caller === null) return;
    rights.demand();
    // A user can still cancel the task that deletes the project, until the first step of the task starts.
    if (exchange.endpoint?.needs?.scope !== 'task') demandNoDeletion(store, projectOf(exchange, store));
  };
  const response = await store.trail.during(entry, answer);
  // A stream or shell has already sent its response, so the audit row gets the success status of the endpoint.
  const status = Object.is(response, ALREADY_SENT) ? declared() : response.status;
  const facts = () => factsOf(exchange, status, entry.subject, store);
  if (status >= 400 && entry.written) audit.add(facts(), 'failed');
  else if (status >= 400 && status !== GONE) {
    audit.refuse(facts(), status >= 500 ? 'failed' : 'refused', sourceOf(exchange));
  } else if (!entry.written && !exchange.isReplayed && !exchange.isPlan) audit.add(facts(), 'ok');
  // Later changes of this request must not create an audit row, because the request already has one.
  entry.written = true;
  return response;
}

/**
 * Returns the resource if the request downloads a backup. Returns `null` for other read requests. Backup downloads need
 * an audit row, because a backup contains secrets.
 */
function takenOut({ endpoint, target, params }: Exchange): Subject | null {
  if (endpoint?.operation !== operations.downloadBackup.id) return null;
  const { project_id: projectId } = target as Targets['backup'];
  return { target: `backups/${params.backup}`, projectId };
}

/**
 * Returns whether a rejected read request needs an audit row. Read requests without a credential need none, because
 * each visit of the sign-in page sends one.
 */
function isRefusedRead(exchange: Exchange, status: number): boolean {
  return status === 403 || (status === 401 && showsCredential(exchange));
}

/**
 * Returns the sender of a rejected request: the user name, or the network of a client that is not signed in. Rejected
 * requests are counted for each sender.
 */
function sourceOf(exchange: Exchange): string {
  const { caller } = exchange;
  return caller ? `user ${caller.actor.username}` : addressNetwork(callerAddress(exchange));
}

/** Returns the columns of a separate audit row, such as the row for the end of a shell session. */
export function auditFacts(exchange: Exchange, status: number, db: Reader): AuditFacts {
  return factsOf(exchange, status, null, db);
}

/** Returns the columns of an audit row. They never contain the query string or the request body. */
function factsOf(exchange: Exchange, status: number, subject: Subject | null, db: Reader): AuditFacts {
  const { caller, endpoint, requestId } = exchange;
  const { credential } = caller ?? {};
  const key = credential?.kind === 'key' ? credential : null;
  return {
    // A sign-in request has no caller, so the audit row contains the name of the user who has signed in.
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
 * Returns the kind of client for the audit row of a request without a caller. The kind for public endpoints is
 * `dashboard`, because the dashboard's sign-in page uses these endpoints.
 */
function strangersVia(exchange: Exchange): Via {
  if (exchange.local) return 'local';
  const via = viaOf(exchange);
  return via === 'api' && exchange.endpoint?.access === 'public' ? 'dashboard' : via;
}

/**
 * Kinds of objects that have a number instead of a name. The `target` in the audit row of such an object consists of
 * kind and number, such as `backups/3`.
 */
const NUMBERED: ReadonlySet<Scope | undefined> = new Set(['backup', 'install', 'task']);

/**
 * Returns the `target` of an audit row from the URL path, such as `shop/production/web/volumes/3`. API keys in the path
 * are masked.
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
 * Returns the project id for the audit row. Returns `null` if the request belongs to no project, and 0 if the project
 * does not exist.
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
