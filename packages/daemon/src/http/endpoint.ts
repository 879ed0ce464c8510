import { ABSENT_ROUTES, type AbsentRoute, allOperations, BODY_BYTES, type Method, type Operation } from '@davit/api';
import type { z } from 'zod';
import type { Binding, Reply } from './bind.ts';
import type { Access, Endpoint, Exchange } from './exchange.ts';

/** Nobody has shown who he is there, and a password is short. */
const SIGN_IN_BYTES = 16 * 1024;

/** What a handler of a route that is not in the document gets. */
export interface AbsentCall<B> {
  exchange: Exchange;
  params: Record<string, string>;
  body: B;
}

/** An operation that may end in several ways is told by its query which one is wanted. */
function successOf({ responses }: Operation): Endpoint['success'] {
  const statuses = Object.keys(responses).map(Number);
  const [lowest, highest] = [Math.min(...statuses), Math.max(...statuses)];
  const askedBy = responses[highest]?.askedBy;
  return (asked) => {
    if (asked.dry_run === true || asked.wait === true) return lowest;
    return askedBy === undefined || asked[askedBy] === true ? highest : lowest;
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
