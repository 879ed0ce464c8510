import {
  ABSENT_ROUTES,
  type AbsentRoute,
  allOperations,
  BODY_BYTES,
  type Method,
  mayReturnSecrets,
  type Operation,
} from '@davit/api';
import type { z } from 'zod';
import type { Binding, Reply } from './bind.ts';
import type { Access, Endpoint, Exchange, RequestContext } from './exchange.ts';

/**
 * Maximum size of a request body in bytes for public endpoints such as the sign-in. Any client can send such requests,
 * and valid bodies are small.
 */
const SIGN_IN_BYTES = 16 * 1024;

/** Input for the handler of an endpoint that is not in the OpenAPI document. */
export interface AbsentCall<B> {
  exchange: Exchange;
  ctx: RequestContext;
  params: Record<string, string>;
  body: B;
}

/**
 * Returns a function that chooses the HTTP status of a successful response. If an operation has several success
 * statuses, a query parameter selects the status.
 */
function successOf({ responses }: Operation): Endpoint['success'] {
  const statuses = Object.keys(responses).map(Number);
  const [lowest, highest] = [Math.min(...statuses), Math.max(...statuses)];
  const requestedBy = responses[highest]?.askedBy;
  return (query) => {
    if (query.dry_run === true || query.wait === true) return lowest;
    return requestedBy === undefined || query[requestedBy] === true ? highest : lowest;
  };
}

/**
 * Creates the endpoint for an operation of the API.
 * @throws Error if the operation is not in the API definition or has no permission
 */
export function operationEndpoint({ operation, handler }: Binding): Endpoint {
  const { id, method, path, permission, scope, query = null, body = null, bodyOptional = false } = operation;
  if (!allOperations.includes(operation)) throw new Error(`the operation ${id} is not in the contract`);
  if (!permission) throw new Error(`the operation ${id} has no permission`);
  return {
    method,
    path: `/api${path}`,
    access: 'caller',
    operation: id,
    success: successOf(operation),
    needs: { permission, scope },
    raw: false,
    readsElsewhere: operation.readsElsewhere ?? false,
    compresses: !mayReturnSecrets(operation),
    query,
    body,
    bodyOptional,
    bodyBytes: BODY_BYTES,
    handle: (exchange, ctx) =>
      handler({
        ctx,
        params: exchange.params,
        lastEventId: exchange.lastEventId,
        // These type casts are safe, because `judgeRequest` has already validated the target, the query and the body.
        target: exchange.target as Parameters<typeof handler>[0]['target'],
        query: exchange.query as Parameters<typeof handler>[0]['query'],
        body: exchange.body as Parameters<typeof handler>[0]['body'],
      }),
  };
}

export interface AbsentOptions<B extends z.ZodType> {
  access: Access;
  body?: B;
  /** HTTP status of a successful response. Default: 200. */
  success?: number;
  pace?: Endpoint['pace'];
  whoAsks?: Endpoint['whoAsks'];
  errorReply?: Endpoint['errorReply'];
  /** Whether the handler itself reads and checks the query string and the body. Default: `false`. */
  raw?: boolean;
  /** Whether large responses are compressed. Responses with secrets must not be compressed. Default: `false`. */
  compresses?: boolean;
}

/** Creates an endpoint that is not part of the API definition on purpose. */
export function absentEndpoint<B extends z.ZodType = z.ZodUndefined>(
  route: AbsentRoute,
  {
    access,
    body,
    success = 200,
    pace,
    whoAsks: authenticateCaller,
    errorReply,
    raw = false,
    compresses = false,
  }: AbsentOptions<B>,
  handler: (call: AbsentCall<z.output<B>>) => Reply | Promise<Reply>,
): Endpoint {
  if (!ABSENT_ROUTES.includes(route)) throw new Error(`${route} is neither an operation nor in the list ABSENT_ROUTES`);
  const space = route.indexOf(' ');
  return {
    // This cast is safe, because every `AbsentRoute` starts with an HTTP method.
    method: route.slice(0, space) as Method,
    path: route.slice(space + 1),
    access,
    operation: route,
    success: () => success,
    ...(pace && { pace }),
    ...(authenticateCaller && { whoAsks: authenticateCaller }),
    ...(errorReply && { errorReply }),
    needs: null,
    raw,
    compresses,
    query: null,
    body: body ?? null,
    bodyOptional: false,
    bodyBytes: access === 'public' ? SIGN_IN_BYTES : BODY_BYTES,
    handle: (exchange, ctx) =>
      // This cast is safe, because `judgeRequest` has validated the body with the schema.
      handler({ exchange, ctx, params: exchange.params, body: exchange.body as z.output<B> }),
  };
}
