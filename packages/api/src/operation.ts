import type { z } from 'zod';
import type { PEM_TYPE } from './ca-file.ts';
import { type ErrorCode, UNAVAILABLE_CODES } from './errors.ts';
import type { Permission } from './permissions.ts';
import type { OperationTag } from './tags.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Kind of resource that an API operation uses. The daemon checks access to the resource before it validates the
 * request. Therefore, a response never reveals a hidden resource.
 */
export type Scope =
  | 'instance'
  | 'project'
  | 'environment'
  | 'app'
  | 'deployment'
  | 'install'
  | 'user'
  | 'database'
  | 'backup'
  | 'object_store'
  | 'task';

/**
 * Effect of an API operation. MCP clients receive `read` as the hint `readOnlyHint` and `destroy` as the hint
 * `destructiveHint`.
 */
export type Effect = 'read' | 'write' | 'destroy';

/**
 * MCP tool with which AI agents use an API operation. The fields describe the differences between the tool and the
 * operation.
 */
export interface Tool {
  /**
   * Description of the MCP tool. Only necessary if the description of the API operation mentions HTTP, because AI
   * agents do not send HTTP requests themselves.
   */
  description?: string;
  /** Query and body fields that the MCP tool does not have, such as credentials and the format of the response. */
  without?: readonly string[];
  /** Query parameters with fixed values that the MCP tool always sends. */
  always?: Readonly<Record<string, string>>;
  /** Map from field name of the API operation to a different argument name of the MCP tool. */
  renamed?: Readonly<Record<string, string>>;
  /** Body fields that are required in the MCP tool but optional in the API operation. */
  required?: readonly string[];
  /**
   * Map from argument name of the MCP tool to its description. Default: the description of the field in the API
   * operation.
   */
  says?: Readonly<Record<string, string>>;
  /** Schema of the MCP tool's result. Default: the response schema of the API operation. */
  answer?: z.ZodType;
  /** Whether repeating the POST request has no further effect (idempotent). */
  repeatable?: boolean;
  /** Whether the MCP tool can cause requests to servers outside the instance. */
  reachesOut?: boolean;
  /** Whether only users with access to all projects may use the MCP tool. */
  everywhere?: boolean;
  /** Whether the result of the MCP tool contains text from an app, such as log lines. */
  tellsText?: boolean;
}

export interface ResponseSpec {
  description: string;
  /** Schema of the response body. Absent if the response has no body. */
  schema?: z.ZodType;
  /** `Content-Type` of the response. Default: `application/json`. */
  contentType?: 'text/plain' | 'application/octet-stream' | typeof PEM_TYPE;
  /**
   * Schema of the JSON response. Absent if the operation always returns plain text. The client must request JSON
   * explicitly.
   */
  json?: z.ZodType;
  /**
   * Schema of the messages in an event stream. The client can request the event stream instead of the normal response.
   */
  events?: z.ZodType;
  /** Map from the name of a response header to its description. */
  headers?: Record<string, string>;
  /** Name of the boolean query parameter that requests this response. `undefined` if this response is the default. */
  askedBy?: string;
}

/**
 * Declaration of an API operation. The daemon's routes, the OpenAPI document, the API client and the MCP tools all use
 * this declaration.
 */
export interface Operation {
  /** Unique name of the operation in the OpenAPI document and in the API client. */
  id: string;
  method: Method;
  /** Path below `/api`, with parameters such as `{name}`. */
  path: string;
  tag: OperationTag;
  summary: string;
  description?: string;
  permission: Permission;
  scope: Scope;
  effect: Effect;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  bodyOptional?: boolean;
  responses: Record<number, ResponseSpec>;
  /**
   * Error codes that only some API operations return. The function `errorsOf` adds general codes, such as
   * `unauthorized`.
   */
  errors?: ErrorCode[];
  /**
   * Whether the operation reads data outside the instance's database. Such data can change without an API request, so
   * the operation does not support `If-Match`.
   */
  readsElsewhere?: boolean;
  /**
   * Whether responses can contain secrets, such as a generated password. Default: `true` if the operation requires the
   * permission `secrets`, or if its MCP tool returns text from an app. Use `mayReturnSecrets` to read this field.
   */
  returnsSecrets?: boolean;
  /** MCP tool for the API operation. If the tool is absent, `no-tools.ts` contains the reason. */
  tool?: Tool;
}

/**
 * Returns all error codes of an operation: the codes in `errors` and general codes. For example, an operation with a
 * request body gets `invalid_json`.
 */
export function errorsOf({ method, permission, scope, effect, body, errors = [] }: Operation): ErrorCode[] {
  const all: ErrorCode[] = [
    'invalid_input',
    'unauthorized',
    'cross_site',
    /*
     * Every role has the permission `read`. Therefore, an operation that requires only `read` never returns
     * `forbidden`.
     */
    ...(permission === 'read' ? [] : (['forbidden'] as const)),
    ...(scope === 'instance' ? [] : (['not_found'] as const)),
    ...(body ? (['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    // The request headers `Idempotency-Key` (POST) and `If-Match` (PUT, PATCH, DELETE) have their own error codes.
    ...(method === 'POST' ? (['conflict', 'idempotency_mismatch'] as const) : []),
    // While a background task deletes a project with its contents, the daemon refuses changes in this project.
    ...(effect !== 'read' && scope !== 'instance' && scope !== 'user' ? (['conflict'] as const) : []),
    ...(['PUT', 'PATCH', 'DELETE'].includes(method) ? (['precondition_failed'] as const) : []),
    ...errors,
    'too_many_requests',
    'internal',
    ...UNAVAILABLE_CODES,
  ];
  return [...new Set(all)];
}

/**
 * Returns whether responses of an operation can contain secrets: credentials, values of variables, or text from an app,
 * such as log lines. Responses with secrets must not be compressed. Otherwise, an attacker in the network could guess a
 * secret from the length of compressed responses (BREACH attack).
 */
export function mayReturnSecrets({ permission, returnsSecrets, tool }: Operation): boolean {
  return returnsSecrets ?? (permission === 'secrets' || tool?.tellsText === true);
}

/** Declares an API operation. The return type keeps the exact schema types for the daemon and the API client. */
export function operation<const O extends Operation>(op: O): O {
  return op;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** Validated request that the daemon passes to the handler of an API operation. */
export interface Received<O extends Operation> {
  query: O['query'] extends z.ZodType ? z.output<O['query']> : Record<string, never>;
  body: Output<O['body']>;
}

/** Path parameters of an API operation as the API client sends them. The daemon validates them later. */
export type Params<O extends Operation> = O['params'] extends z.ZodType ? z.input<O['params']> : undefined;
export type Query<O extends Operation> = O['query'] extends z.ZodType ? z.input<O['query']> : undefined;
export type Body<O extends Operation> = Input<O['body']>;

type ResponseBody<R> = R extends { contentType: 'application/octet-stream' }
  ? ReadableStream<Uint8Array>
  : R extends { contentType: 'text/plain' | typeof PEM_TYPE }
    ? string | (R extends { json: z.ZodType } ? z.output<R['json']> : never)
    : R extends { schema: z.ZodType }
      ? z.output<R['schema']>
      : undefined;

/** Result type of an operation in the API client: a union of the bodies of all successful responses. */
export type Result<O extends Operation> = {
  [S in keyof O['responses']]: ResponseBody<O['responses'][S]>;
}[keyof O['responses']];
