import type { z } from 'zod';
import type { PEM_TYPE } from './ca-file.ts';
import { type ErrorCode, UNAVAILABLE_CODES } from './errors.ts';
import type { Permission } from './permissions.ts';
import type { OperationTag } from './tags.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Kind of resource that an API operation acts on. The daemon checks access before it validates the request, so that a
 * response never reveals hidden resources.
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
 * Effect of an API operation. MCP clients receive the effects `read` and `destroy` as the hints `readOnlyHint` and
 * `destructiveHint`.
 */
export type Effect = 'read' | 'write' | 'destroy';

/** MCP tool that offers an API operation to AI agents. The fields say how the tool differs from the operation. */
export interface Tool {
  /**
   * Description of the MCP tool, if the description of the API operation mentions HTTP. AI agents do not send HTTP
   * requests themselves.
   */
  description?: string;
  /** Query and body fields that the MCP tool does not offer, such as credentials and the format of the response. */
  without?: readonly string[];
  /** Query parameters with fixed values that the MCP tool always sends. */
  always?: Readonly<Record<string, string>>;
  /**
   * Argument names of the MCP tool that differ from the API operation. The key is the field name of the API operation.
   */
  renamed?: Readonly<Record<string, string>>;
  /** Body fields that the MCP tool requires although they are optional in the API operation. */
  required?: readonly string[];
  /**
   * New descriptions for arguments of the MCP tool, by argument name. Default: the description of the field in the API
   * operation.
   */
  says?: Readonly<Record<string, string>>;
  /** Schema of the MCP tool's result. Default: the response schema of the API operation. */
  answer?: z.ZodType;
  /** Whether a repetition of the POST request has no further effect (idempotent). */
  repeatable?: boolean;
  /** Whether the MCP tool causes requests to servers outside the instance. */
  reachesOut?: boolean;
  /** Whether the MCP tool is only for users with access to all projects. */
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
   * Schema of the JSON response of an operation that normally returns plain text. The client must request JSON
   * explicitly.
   */
  json?: z.ZodType;
  /** Schema of the messages in the event stream that the client can request instead of the normal response. */
  events?: z.ZodType;
  /** Map from the name of a response header to its description. */
  headers?: Record<string, string>;
  /**
   * Name of the boolean query parameter that requests this response. `undefined` if the API sends this response by
   * default.
   */
  askedBy?: string;
}

/**
 * Declaration of an API operation. The daemon's routes, the OpenAPI document, the API client and the MCP tools use this
 * declaration.
 */
export interface Operation {
  /** Unique name of the operation, in the OpenAPI document and the API client. */
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
   * Special error codes of this API operation. General codes, such as `unauthorized`, are not in this list, because the
   * function `errorsOf` adds them.
   */
  errors?: ErrorCode[];
  /**
   * Whether the operation reads data outside the instance's database. Such data changes without an API request, so
   * `If-Match` is not supported.
   */
  readsElsewhere?: boolean;
  /**
   * Whether responses can contain secrets, for example a generated password. Default: `true` if the operation requires
   * the permission `secrets`, or if the result of its tool contains text from an app. Read it with `mayReturnSecrets`.
   */
  returnsSecrets?: boolean;
  /** MCP tool for the API operation. If it is absent, `no-tools.ts` says why AI agents cannot use the operation. */
  tool?: Tool;
}

/**
 * Returns the codes in `errors` and the general codes of the operation, such as `invalid_json` if it has a request
 * body.
 */
export function errorsOf({ method, permission, scope, effect, body, errors = [] }: Operation): ErrorCode[] {
  const all: ErrorCode[] = [
    'invalid_input',
    'unauthorized',
    'cross_site',
    // Every role has the permission `read`. An operation with this permission therefore never returns `forbidden`.
    ...(permission === 'read' ? [] : (['forbidden'] as const)),
    ...(scope === 'instance' ? [] : (['not_found'] as const)),
    ...(body ? (['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    // The request headers `Idempotency-Key` (POST) and `If-Match` (PUT, PATCH, DELETE) have their own error codes.
    ...(method === 'POST' ? (['conflict', 'idempotency_mismatch'] as const) : []),
    // While a task deletes a project with its contents, the daemon refuses changes in this project.
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
 * such as log lines. Such a response must not be compressed. Otherwise, an observer of the network who can influence
 * other parts of the response could guess a secret from the length of the response (the attack BREACH).
 */
export function mayReturnSecrets({ permission, returnsSecrets, tool }: Operation): boolean {
  return returnsSecrets ?? (permission === 'secrets' || tool?.tellsText === true);
}

/**
 * Declares an API operation. The return type keeps the exact types of the schemas, which the daemon and the API client
 * need.
 */
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

/** Type that the API client returns for an operation: the union of the bodies of all successful responses. */
export type Result<O extends Operation> = {
  [S in keyof O['responses']]: ResponseBody<O['responses'][S]>;
}[keyof O['responses']];
