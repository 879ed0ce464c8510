import { z } from 'zod';
import type { Reply } from '../http/bind.ts';

export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  noSuchMethod: -32_601,
  invalidParams: -32_602,
} as const;

/** Returns the HTTP response with a JSON-RPC error for an MCP message that Davit refuses. */
export function refusedMessage(status: number, code: number, message: string, { id }: { id?: unknown } = {}): Reply {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return {
    status,
    body: { jsonrpc: '2.0', error: { code, message }, id: known },
    headers: { 'Cache-Control': 'no-store' },
  };
}

const listed = z.object({ cursor: z.string().optional() }).optional();

/**
 * Map from JSON-RPC method to the schema of its parameters. Davit checks the parameters itself, because the MCP SDK
 * would report invalid parameters as an internal error.
 */
const PARAMS = new Map<unknown, z.ZodType>([
  ['tools/list', listed],
  ['tools/call', z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() })],
  ['resources/list', listed],
  ['resources/templates/list', listed],
  ['resources/read', z.object({ uri: z.string() })],
  ['prompts/list', listed],
  ['prompts/get', z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() })],
]);

/** Returns the first problem with the parameters of a JSON-RPC message as a sentence, or `null` if they are valid. */
export function wrongParams({ method, params }: { method?: unknown; params?: unknown }): string | null {
  const [issue] = PARAMS.get(method)?.safeParse(params).error?.issues ?? [];
  return issue === undefined ? null : `${['params', ...issue.path].map(String).join('.')}: ${issue.message}.`;
}
