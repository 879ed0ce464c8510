import { DavitError } from '@davit/api';
import { z } from 'zod';
import type { Reply } from '../http/bind.ts';
import { validate } from '../http/request/fields.ts';

export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  noSuchMethod: -32_601,
  invalidParams: -32_602,
} as const;

/** Returns the HTTP response for an MCP message that Davit refuses. The response contains a JSON-RPC error. */
export function refusedMessage(status: number, code: number, message: string, { id }: { id?: unknown } = {}): Reply {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return {
    status,
    body: { jsonrpc: '2.0', error: { code, message }, id: known },
    headers: { 'Cache-Control': 'no-store' },
  };
}

/** Returns the schema of a JSON-RPC message. With this schema, error messages name a parameter as `params.<name>`. */
const withParams = (params: z.ZodType) => z.object({ params });

const progressToken = z.union([z.string(), z.int()], 'must be a string or a whole number');
const common = z.looseObject({ _meta: z.looseObject({ progressToken: progressToken.optional() }).optional() });
const listing = withParams(common.extend({ cursor: z.string().optional() }).optional());
const toolCall = common.extend({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  task: z.looseObject({ ttl: z.number().optional() }).optional(),
});
const promptChoice = common.extend({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() });

/**
 * Map from JSON-RPC method to the schema of its messages. Davit checks the parameters, because the MCP SDK would report
 * invalid parameters as an internal error.
 */
const MESSAGES = new Map<unknown, z.ZodType>([
  ['tools/list', listing],
  ['tools/call', withParams(toolCall)],
  ['resources/list', listing],
  ['resources/templates/list', listing],
  ['resources/read', withParams(common.extend({ uri: z.string() }))],
  ['prompts/list', listing],
  ['prompts/get', withParams(promptChoice)],
]);

/** Schema of notifications, and of methods that have no separate schema. */
const OTHER_MESSAGE = withParams(common.optional());

const INITIALIZE = withParams(
  common.extend({
    protocolVersion: z.string(),
    capabilities: z.looseObject({}),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
);

/**
 * Returns the first problem with the parameters of a JSON-RPC message as a sentence. Returns `null` if the parameters
 * are valid.
 */
export function wrongParams({ method, params }: { method?: unknown; params?: unknown }): string | null {
  return problemOf(MESSAGES.get(method) ?? OTHER_MESSAGE, params);
}

/**
 * Returns the first problem with the parameters of an `initialize` request as a sentence, or `null`. The function
 * `wrongParams` skips this method, because newer revisions of the protocol do not have it.
 */
export function wrongInitialization({ params }: { params?: unknown }): string | null {
  return problemOf(INITIALIZE, params);
}

function problemOf(schema: z.ZodType, params: unknown): string | null {
  try {
    validate(schema, { params }, 'request');
    return null;
  } catch (error) {
    if (error instanceof DavitError) return error.message;
    throw error;
  }
}
