import type { z } from 'zod';
import { type ErrorCode, UNAVAILABLE_CODES } from './errors.ts';
import type { Permission } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Resource on which an operation acts. The server loads it for the permission check before it validates the fields.
 * Therefore missing and invisible resources get the same answer.
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

/** Effect of an operation: a hint for MCP clients, and the reason for confirmations in clients. */
export type Effect = 'read' | 'write' | 'destroy';

/** Declaration of an operation as a tool for agents, with the differences from the operation. */
export interface Tool {
  /** Description for agents. Replaces the description of the operation, which is about requests and headers. */
  description?: string;
  /**
   * Fields of the query and body that the tool does not have: credentials, and fields that change the format of the
   * answer.
   */
  without?: readonly string[];
  /** Fixed values of the query. */
  always?: Readonly<Record<string, string>>;
  /** Names of the tool for fields that have other names in the operation. */
  renamed?: Readonly<Record<string, string>>;
  /** Fields of the body that an agent must give. */
  required?: readonly string[];
  /** Descriptions of arguments that need more than the description of the field. */
  says?: Readonly<Record<string, string>>;
  /** Schema of the answer, if the responses do not determine it. */
  answer?: z.ZodType;
  /** Whether a repeated POST changes nothing. */
  repeatable?: boolean;
  /** Whether the tool accesses systems outside of the instance. */
  reachesOut?: boolean;
  /** Whether the tool requires access to all projects. */
  everywhere?: boolean;
  /** Whether the answer contains unchanged text that an app wrote. */
  tellsText?: boolean;
}

export interface ResponseSpec {
  description: string;
  /** Schema of the body. Absent if there is no body. */
  schema?: z.ZodType;
  /** Content type. Default: JSON. */
  contentType?: 'text/plain' | 'application/octet-stream';
  /** Schema of the JSON that replaces the text if the caller requests JSON. */
  json?: z.ZodType;
  /** Schema of the messages that replace the body as `text/event-stream` if the caller follows. */
  events?: z.ZodType;
  /** Headers that a client needs, with their descriptions. */
  headers?: Record<string, string>;
  /** Query flag that requests this response. Absent for the default response. */
  askedBy?: string;
}

/** One operation of the API. Routes, OpenAPI document, client, commands and tools are derived from this declaration. */
export interface Operation {
  /** Unique id, which is the name of the operation in the OpenAPI document, the client and the tools. */
  id: string;
  method: Method;
  /** Path below `/api`, with `{name}` parameters. */
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
  /** Whether the body can be omitted. */
  bodyOptional?: boolean;
  responses: Record<number, ResponseSpec>;
  /** Error codes besides those that follow from the declaration, see {@link errorsOf}. */
  errors?: ErrorCode[];
  /** Whether the data is stored elsewhere and may change at any time, so that `If-Match` is not supported. */
  readsElsewhere?: boolean;
  /** Tool for agents. If absent, agents do not have the operation, for the reason in `no-tools.ts`. */
  tool?: Tool;
}

/** Returns all error codes of an operation: those that follow from its permission, scope and body, and its own. */
export function errorsOf({ method, permission, scope, body, errors = [] }: Operation): ErrorCode[] {
  const all: ErrorCode[] = [
    'invalid_input',
    'unauthorized',
    'cross_site',
    // Every role may read.
    ...(permission === 'read' ? [] : (['forbidden'] as const)),
    ...(scope === 'instance' ? [] : (['not_found'] as const)),
    ...(body ? (['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    // Errors of Idempotency-Key and of If-Match.
    ...(method === 'POST' ? (['conflict', 'idempotency_mismatch'] as const) : []),
    ...(['PUT', 'PATCH', 'DELETE'].includes(method) ? (['precondition_failed'] as const) : []),
    ...errors,
    'too_many_requests',
    'internal',
    ...UNAVAILABLE_CODES,
  ];
  return [...new Set(all)];
}

/** Declares an operation. Keeps the literal types of its schemas for the server and the client. */
export function operation<const O extends Operation>(op: O): O {
  return op;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** Input of the handler on the server, after validation. */
export interface Received<O extends Operation> {
  query: O['query'] extends z.ZodType ? z.output<O['query']> : Record<string, never>;
  body: Output<O['body']>;
}

/** Arguments of the client. */
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

/** Result of the client: the body of any successful response. */
export type Result<O extends Operation> = {
  [S in keyof O['responses']]: ResponseBody<O['responses'][S]>;
}[keyof O['responses']];
