import type { z } from 'zod';
import { type ErrorCode, UNAVAILABLE_CODES } from './errors.ts';
import type { Permission } from './permissions.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * What an operation acts on. The server loads it for the operation's permission before it looks at the fields, so that
 * something missing and something invisible get the same answer.
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
  | 'store'
  | 'task';

/** What an operation does to the world: hints for MCP clients, and what a client asks confirmation for. */
export type Effect = 'read' | 'write' | 'destroy';

/** That agents have an operation as a tool, and where it differs for them from what the operation says of itself. */
export interface Tool {
  /** In place of the operation's description, which speaks of requests and headers. */
  description?: string;
  /** Fields of its query and body that the tool does not have: credentials, and what changes the form of the answer. */
  without?: readonly string[];
  /** What its query always says. */
  always?: Readonly<Record<string, string>>;
  /** What the tool calls a field that has another name in the operation. */
  renamed?: Readonly<Record<string, string>>;
  /** Fields of its body that an agent must name. */
  required?: readonly string[];
  /** What its arguments are, where their own descriptions do not say it. */
  says?: Readonly<Record<string, string>>;
  /** What is answered, where the responses leave it open. */
  answer?: z.ZodType;
  /** A POST that changes nothing when it is sent again. */
  repeatable?: boolean;
  /** It reaches what is outside of the instance. */
  reachesOut?: boolean;
  /** It is for who sees every project. */
  everywhere?: boolean;
  /** The answer has text that an app wrote, as it wrote it. */
  tellsText?: boolean;
}

export interface ResponseSpec {
  description: string;
  /** Absent: no body. */
  schema?: z.ZodType;
  /** Absent: JSON. */
  contentType?: 'text/plain' | 'application/octet-stream';
  /** The JSON that is answered instead of text, where the caller asks for it. */
  json?: z.ZodType;
  /** The messages that are answered instead, as `text/event-stream`, where the caller asks to follow. */
  events?: z.ZodType;
  /** Headers that say something a client needs, with what they say. */
  headers?: Record<string, string>;
  /** The flag of the query that asks for this answer; absent: it is the usual one. */
  askedBy?: string;
}

/** One operation of the API, declared once: bindings, document, client, commands and tools derive from it. */
export interface Operation {
  /** Unique; the name in the document, the client and the tools. */
  id: string;
  method: Method;
  /** Below `/api`, with `{name}` parameters. */
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
  /** The body may be left out altogether. */
  bodyOptional?: boolean;
  responses: Record<number, ResponseSpec>;
  /** Beyond those that follow from the rest of the declaration; see {@link errorsOf}. */
  errors?: ErrorCode[];
  /** What it reads is kept by somebody else, and may change there at any moment: `If-Match` is compared with none of it. */
  readsElsewhere?: boolean;
  /** Absent: agents do not have it, for the reason in `no-tools.ts`. */
  tool?: Tool;
}

/** Everything that may go wrong with an operation: what its permission, scope and body bring along, and its own. */
export function errorsOf({ method, permission, scope, body, errors = [] }: Operation): ErrorCode[] {
  const all: ErrorCode[] = [
    'invalid_input',
    'unauthorized',
    'cross_site',
    // Every role may read.
    ...(permission === 'read' ? [] : (['forbidden'] as const)),
    ...(scope === 'instance' ? [] : (['not_found'] as const)),
    ...(body ? (['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    // With an Idempotency-Key, and with If-Match.
    ...(method === 'POST' ? (['conflict', 'idempotency_mismatch'] as const) : []),
    ...(['PUT', 'PATCH', 'DELETE'].includes(method) ? (['precondition_failed'] as const) : []),
    ...errors,
    'too_many_requests',
    'internal',
    ...UNAVAILABLE_CODES,
  ];
  return [...new Set(all)];
}

/** Declares an operation, keeping the literal types of its schemas for the server and the client. */
export function operation<const O extends Operation>(op: O): O {
  return op;
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;
type Input<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What the server's handler gets after validation. */
export interface Received<O extends Operation> {
  query: O['query'] extends z.ZodType ? z.output<O['query']> : Record<string, never>;
  body: Output<O['body']>;
}

/** What a client passes. */
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

/** What a client gets: the body of any of the successful responses. */
export type Result<O extends Operation> = {
  [S in keyof O['responses']]: ResponseBody<O['responses'][S]>;
}[keyof O['responses']];
