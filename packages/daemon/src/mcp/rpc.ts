import { z } from 'zod';
import type { Reply } from '../http/bind.ts';

/** Codes of JSON-RPC. */
export const RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  noSuchMethod: -32_601,
  invalidParams: -32_602,
} as const;

/** The refusal of a message that is not even looked at further. */
export function refusedMessage(status: number, code: number, message: string, { id }: { id?: unknown } = {}): Reply {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return {
    status,
    body: { jsonrpc: '2.0', error: { code, message }, id: known },
    headers: { 'Cache-Control': 'no-store' },
  };
}

const listed = z.object({ cursor: z.string().optional() }).optional();

/** What is asked with each method: the SDK takes what is otherwise for a failure of ours. */
const PARAMS = new Map<unknown, z.ZodType>([
  ['tools/list', listed],
  ['tools/call', z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() })],
  ['resources/list', listed],
  ['resources/templates/list', listed],
  ['resources/read', z.object({ uri: z.string() })],
  ['prompts/list', listed],
  ['prompts/get', z.object({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() })],
]);

/** What is wrong with the parameters of a message, in a sentence; null: nothing that can be seen here. */
export function wrongParams({ method, params }: { method?: unknown; params?: unknown }): string | null {
  const [issue] = PARAMS.get(method)?.safeParse(params).error?.issues ?? [];
  return issue === undefined ? null : `${['params', ...issue.path].map(String).join('.')}: ${issue.message}.`;
}
