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

/** Everything that does not exist has one name: what was asked for is the caller's own text. */
const UNKNOWN = 'unknown';
const TARGET_LENGTH = 200;
/** The client was gone before its request was whole. */
const GONE = 499;

/**
 * Answers a request so that it gets its row in the audit log: one that changes something in the transaction of its first
 * change, every other write when its answer is known, a read or a plan only when it was refused to somebody,
 * or took data out of the instance. The first change is refused if the caller has lost the rights for it.
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
  // A connection that something else was made of (a stream, a shell) has the answer that was declared.
  const status = Object.is(response, ALREADY_SENT) ? declared() : response.status;
  const facts = () => factsOf(exchange, status, entry.subject, store);
  if (status >= 400 && entry.written) audit.add(facts(), 'failed');
  else if (status >= 400 && status !== GONE) {
    audit.refuse(facts(), status >= 500 ? 'failed' : 'refused', sourceOf(exchange));
  } else if (!entry.written && !exchange.isReplayed && !exchange.isPlan) audit.add(facts(), 'ok');
  // What goes on in the background, a stream for one, has no row of its own.
  entry.written = true;
  return response;
}

/** What a read takes out of the instance as a whole, secrets and all: that is told of like a change. */
function takenOut({ endpoint, target, params }: Exchange): Subject | null {
  if (endpoint?.operation !== operations.downloadBackup.id) return null;
  const { project_id: projectId } = target as Targets['backup'];
  return { target: `backups/${params.backup}`, projectId };
}

/**
 * Whether a read that was answered so was refused to somebody: a key or a session that is not taken, a right that is not
 * there. Who shows nothing has not tried anything: the sign-in page asks so, once a visit, whether somebody is signed in.
 */
function isRefusedRead(exchange: Exchange, status: number): boolean {
  return status === 403 || (status === 401 && showsCredential(exchange));
}

/** What is counted together when it is refused. */
function sourceOf(exchange: Exchange): string {
  const { caller } = exchange;
  return caller ? `user ${caller.actor.username}` : addressNetwork(callerAddress(exchange));
}

/** For what a request began and that ends later: a row of its own for its end. */
export function auditFacts(exchange: Exchange, status: number, db: Reader): AuditFacts {
  return factsOf(exchange, status, null, db);
}

/** What a row says of a request: who and where from, and the names in its address. Nothing of its query or body. */
function factsOf(exchange: Exchange, status: number, subject: Subject | null, db: Reader): AuditFacts {
  const { caller, endpoint, requestId } = exchange;
  const { credential } = caller ?? {};
  const key = credential?.kind === 'key' ? credential : null;
  return {
    // Who has just signed in, or claimed the instance, is who that is about.
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

/** Somebody who has not shown who he is: the public routes are those of the sign-in page. */
function strangersVia(exchange: Exchange): Via {
  if (exchange.local) return 'local';
  const via = viaOf(exchange);
  return via === 'api' && exchange.endpoint?.access === 'public' ? 'dashboard' : via;
}

/** What has a number alone, which would say nothing without its noun: `backups/3`. */
const NUMBERED: ReadonlySet<Scope | undefined> = new Set(['backup', 'install', 'task']);

/**
 * The names in the address; of what hangs on an app, its noun too: `shop/production/web/volumes/3`. One who put a key
 * there is not told on.
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

/** Null: of no project. 0: of a project that there is not. */
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
    case 'store':
    case 'task':
      return (target as { project_id: number | null }).project_id;
    case 'deployment':
      return found?.app?.project.id ?? 0;
    default:
      return params.project === undefined ? null : (projectBySlug(db, params.project)?.id ?? 0);
  }
}
