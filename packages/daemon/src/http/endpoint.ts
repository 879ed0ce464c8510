import {
  ABSENT_ROUTES,
  type AbsentRoute,
  allOperations,
  BODY_BYTES,
  type Method,
  type Permission,
  type Scope,
} from '@davit/api';
import type { z } from 'zod';
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
  /** What it answers when all went well: the highest status, where there are several. */
  success: number;
  /** What it acts on and what that takes; null for a route that is about the caller himself or about nothing. */
  needs: { permission: Permission; scope: Scope } | null;
  /** Slows strangers down where they may ask; throws what they are answered. */
  pace?: (exchange: Exchange) => void;
  query: z.ZodObject | null;
  body: z.ZodType | null;
  bodyOptional: boolean;
  bodyBytes: number;
  handle(exchange: Exchange, ctx: RequestContext): Reply | Promise<Reply>;
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
    success: Math.max(...Object.keys(operation.responses).map(Number)),
    needs: { permission, scope },
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
}

/** A route of the absent list as an endpoint. */
export function absentEndpoint<B extends z.ZodType = z.ZodUndefined>(
  route: AbsentRoute,
  { access, body, success = 200, pace }: AbsentOptions<B>,
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
    success,
    ...(pace && { pace }),
    needs: null,
    query: null,
    body: body ?? null,
    bodyOptional: false,
    bodyBytes: access === 'public' ? SIGN_IN_BYTES : BODY_BYTES,
    handle: (exchange) =>
      // The stage before this one made it from the schema.
      handler({ exchange, params: exchange.params, body: exchange.body as z.output<B> }),
  };
}
