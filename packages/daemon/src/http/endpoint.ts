import {
  ABSENT_ROUTES,
  type AbsentRoute,
  allOperations,
  BODY_BYTES,
  type Method,
  type Operation,
  type Permission,
  type Scope,
} from '@davit/api';
import type { z } from 'zod';
import type { AuthenticationParts, Caller } from '../auth/actor.ts';
import type { Binding, Reply } from './bind.ts';
import type { Exchange, RequestContext } from './exchange.ts';

/** Nobody has shown who he is there, and a password is short. */
const SIGN_IN_BYTES = 16 * 1024;

/**
 * `open`: outside `/api`, for everybody. `public`: below `/api`, for everybody. `caller`: for who is signed in.
 */
export type Access = 'open' | 'public' | 'caller';

/** What a handler of a route that is not in the document gets. */
export interface AbsentCall<B> {
  exchange: Exchange;
  params: Record<string, string>;
  body: B;
}

/** Anything that can be asked for: an operation of the contract, or one of the routes deliberately absent from it. */
export interface Endpoint {
  method: Method;
  /** From the root, with `{name}` parameters. */
  path: string;
  access: Access;
  /** Its name in the audit log: the operation's id, or method and path of a route that is not one. */
  operation: string;
  /** What it answers when all goes well, by what the query asks for. */
  success: (query: Query) => number;
  /** What it acts on and what that takes; null for a route that is about the caller himself or about nothing. */
  needs: { permission: Permission; scope: Scope } | null;
  /** Where not every credential counts; absent: every one that {@link authenticate} knows. */
  whoAsks?: (parts: AuthenticationParts, exchange: Exchange) => Caller;
  /** Slows strangers down where they may ask; throws what they are answered. */
  pace?: (exchange: Exchange) => void;
  /** Its protocol's own rules: query and body are not looked at before its handler does. */
  raw: boolean;
  /** What it reads is kept by somebody else: no change of ours is compared with it. */
  readsElsewhere?: boolean;
  query: z.ZodObject | null;
  body: z.ZodType | null;
  bodyOptional: boolean;
  bodyBytes: number;
  handle(exchange: Exchange, ctx: RequestContext): Reply | Promise<Reply>;
}

/** A query as its schema made it; only its booleans decide how something is answered. */
type Query = Readonly<Record<string, unknown>>;

/** An operation that may end in several ways is told by its query which one is wanted. */
function successOf({ responses, query }: Operation): Endpoint['success'] {
  const statuses = Object.keys(responses).map(Number);
  const [lowest, highest] = [Math.min(...statuses), Math.max(...statuses)];
  const names = Object.keys(query?.shape ?? {});
  const asks = ['deploy', 'detach'].find((name) => names.includes(name));
  return (asked) => {
    if (asked.dry_run === true || asked.wait === true) return lowest;
    return asks === undefined || asked[asks] === true ? highest : lowest;
  };
}

/**
 * An operation with its handler as an endpoint.
 * @throws Error for one that the contract does not declare, or without a permission
 */
export function operationEndpoint({ operation, handler }: Binding): Endpoint {
  const { id, method, path, permission, scope, query = null, body = null, bodyOptional = false } = operation;
  if (!allOperations.includes(operation)) throw new Error(`the operation ${id} is not in the contract`);
  if (!permission) throw new Error(`the operation ${id} names no permission`);
  return {
    method,
    path: `/api${path}`,
    access: 'caller',
    operation: id,
    success: successOf(operation),
    needs: { permission, scope },
    raw: false,
    readsElsewhere: operation.readsElsewhere ?? false,
    query,
    body,
    bodyOptional,
    bodyBytes: BODY_BYTES,
    handle: (exchange, ctx) =>
      handler({
        ctx,
        params: exchange.params,
        lastEventId: exchange.lastEventId,
        // The stages before this one made these three from the operation's own scope and schemas.
        target: exchange.target as Parameters<typeof handler>[0]['target'],
        query: exchange.query as Parameters<typeof handler>[0]['query'],
        body: exchange.body as Parameters<typeof handler>[0]['body'],
      }),
  };
}

export interface AbsentOptions<B extends z.ZodType> {
  access: Access;
  body?: B;
  /** Absent: 200. */
  success?: number;
  pace?: Endpoint['pace'];
  whoAsks?: Endpoint['whoAsks'];
  /** Absent: false. */
  raw?: boolean;
}

/** A route of the absent list as an endpoint. */
export function absentEndpoint<B extends z.ZodType = z.ZodUndefined>(
  route: AbsentRoute,
  { access, body, success = 200, pace, whoAsks, raw = false }: AbsentOptions<B>,
  handler: (call: AbsentCall<z.output<B>>) => Reply | Promise<Reply>,
): Endpoint {
  if (!ABSENT_ROUTES.includes(route)) throw new Error(`${route} is neither an operation nor on the absent list`);
  const space = route.indexOf(' ');
  return {
    // The type of the list says what stands before the space.
    method: route.slice(0, space) as Method,
    path: route.slice(space + 1),
    access,
    operation: route,
    success: () => success,
    ...(pace && { pace }),
    ...(whoAsks && { whoAsks }),
    needs: null,
    raw,
    query: null,
    body: body ?? null,
    bodyOptional: false,
    bodyBytes: access === 'public' ? SIGN_IN_BYTES : BODY_BYTES,
    handle: (exchange) =>
      // The stage before this one made it from the schema.
      handler({ exchange, params: exchange.params, body: exchange.body as z.output<B> }),
  };
}
