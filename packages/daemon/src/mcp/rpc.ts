import type { Reply } from '../http/bind.ts';

/** Codes of JSON-RPC. */
export const RPC = { parseError: -32_700, invalidRequest: -32_600, noSuchMethod: -32_601 } as const;

/** The refusal of a message that is not even looked at further. */
export function refusedMessage(status: number, code: number, message: string, { id }: { id?: unknown } = {}): Reply {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return {
    status,
    body: { jsonrpc: '2.0', error: { code, message }, id: known },
    headers: { 'Cache-Control': 'no-store' },
  };
}
