import type { z } from 'zod';
import { type ErrorCode, UNAVAILABLE_CODES } from './errors.ts';
import type { Permission } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Kind of resource that an operation acts on. The daemon loads the resource for the permission check before it
 * validates the request. Missing and invisible resources therefore get the same response.
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

/** Effect of an operation. MCP clients get it as a hint, and clients ask for confirmation before `destroy`. */
export type Effect = 'read' | 'write' | 'destroy';

/**
 * Declares an API operation as an MCP tool for AI agents. The fields describe how the tool differs from the operation.
 */
export interface Tool {
  /** Description of the tool for agents. It replaces the description of the operation, which is about HTTP requests. */
  description?: string;
  /** Query and body fields that the tool omits: credentials, and fields that change the format of the response. */
  without?: readonly string[];
  /** Query parameters that the tool always sends, with their values. */
  always?: Readonly<Record<string, string>>;
  /** Names of arguments in the tool, by field name of the operation, for fields with another name in the tool. */
  renamed?: Readonly<Record<string, string>>;
  /** Body fields that are optional in the operation but required in the tool. */
  required?: readonly string[];
  /** Descriptions of tool arguments, by name. Each replaces the description of the operation's field. */
  says?: Readonly<Record<string, string>>;
  /** Schema of the tool's result. Default: the schema of the operation's response. */
  answer?: z.ZodType;
  /** Whether repeating the POST request changes nothing (idempotent). */
  repeatable?: boolean;
  /** Whether the tool sends requests to systems outside the instance. */
  reachesOut?: boolean;
  /** Whether the tool requires access to all projects. */
  everywhere?: boolean;
  /** Whether the result contains text that an app wrote, such as log lines. */
  tellsText?: boolean;
}

export interface ResponseSpec {
  description: string;
  /** Schema of the response body. Absent if the response has no body. */
  schema?: z.ZodType;
  /** `Content-Type` of the response. Default: `application/json`. */
  contentType?: 'text/plain' | 'application/octet-stream';
  /** Schema of the JSON response for a text response, if the caller requests JSON. */
  json?: z.ZodType;
  /** Schema of the messages if the caller requests an event stream instead of the body. */
  events?: z.ZodType;
  /** Descriptions of response headers, by name. */
  headers?: Record<string, string>;
  /** Boolean query parameter that requests this response. Absent for the default response. */
  askedBy?: string;
}

/**
 * Declaration of an API operation. The daemon's routes, the OpenAPI document, the API client and the MCP tools are
 * derived from it.
 */
export interface Operation {
  /** Unique name of the operation, in the OpenAPI document and the API client. */
  id: string;
  method: Method;
  /** Path below `/api`, with parameters such as `{name}`. */
  path: string;
  tag: string;
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
  /** Error codes of the operation, except those that `errorsOf` derives from the declaration. */
  errors?: ErrorCode[];
  /**
   * Whether the data is stored outside the instance's database and can change at any time. The operation then does not
   * support `If-Match`.
   */
  readsElsewhere?: boolean;
  /** MCP tool for the operation. Absent if agents cannot use the operation; `no-tools.ts` has the reason. */
  tool?: Tool;
}

/**
 * Returns all error codes of an operation: its own codes and those that its permission, scope, method and body imply.
 */
export function errorsOf({ method, permission, scope, body, errors = [] }: Operation): ErrorCode[] {
  const all: ErrorCode[] = [
    'invalid_input',
    'unauthorized',
    'cross_site',
    // Every role has the permission `read`, so only other operations can return `forbidden`.
    ...(permission === 'read' ? [] : (['forbidden'] as const)),
    ...(scope === 'instance' ? [] : (['not_found'] as const)),
    ...(body ? (['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    // POST requests accept `Idempotency-Key`, and other changes accept `If-Match`. These headers cause further errors.
    ...(method === 'POST' ? (['conflict', 'idempotency_mismatch'] as const) : []),
    ...(['PUT', 'PATCH', 'DELETE'].includes(method) ? (['precondition_failed'] as const) : []),
    ...errors,
    'too_many_requests',
    'internal',
    ...UNAVAILABLE_CODES,
  ];
  return [...new Set(all)];
}

/** Declares an API operation. The function keeps the exact types of its schemas for the daemon and the API client. */
export function operation<const O extends Operation>(op: O): O {
  return op;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** Validated request that the daemon passes to the handler of an operation. */
export interface Received<O extends Operation> {
  query: O['query'] extends z.ZodType ? z.output<O['query']> : Record<string, never>;
  body: Output<O['body']>;
}

/** Path parameters that the API client sends, before validation. */
export type Params<O extends Operation> = O['params'] extends z.ZodType ? z.input<O['params']> : undefined;
export type Query<O extends Operation> = O['query'] extends z.ZodType ? z.input<O['query']> : undefined;
export type Body<O extends Operation> = Input<O['body']>;

type ResponseBody<R> = R extends { contentType: 'application/octet-stream' }
  ? ReadableStream<Uint8Array>
  : R extends { contentType: 'text/plain' }
    ? string | (R extends { json: z.ZodType } ? z.output<R['json']> : never)
    : R extends { schema: z.ZodType }
      ? z.output<R['schema']>
      : undefined;

/** Return value of the API client: the body of any successful response. */
export type Result<O extends Operation> = {
  [S in keyof O['responses']]: ResponseBody<O['responses'][S]>;
}[keyof O['responses']];
