import { SAFE_MODE_PATHS } from '@davit/api';
import type { RestoreQuery, StateRecovery } from '../../safe-mode/recovery.ts';
import type { Reply } from '../bind.ts';
import type { Exchange } from '../exchange.ts';
import { parseQuery } from '../request/query.ts';

export interface RecoveryRoute {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  answer: (exchange: Exchange) => Promise<Reply>;
}

/** Returns the requests that repair the state. Only root and the user that runs the daemon can send them. */
export function recoveryRoutes(recovery: StateRecovery): readonly RecoveryRoute[] {
  const route = (method: RecoveryRoute['method'], path: string, answer: (exchange: Exchange) => Promise<unknown>) => ({
    method,
    path,
    answer: async (exchange: Exchange) => {
      const body = await answer(exchange);
      return { status: body === undefined ? 204 : 200, body };
    },
  });
  return [
    route('GET', SAFE_MODE_PATHS.verify, () => recovery.verify()),
    route('POST', SAFE_MODE_PATHS.export, () => recovery.export()),
    route('GET', SAFE_MODE_PATHS.exported, async () => recovery.exported()),
    route('PUT', SAFE_MODE_PATHS.receiveLog, ({ incoming }) => recovery.receiveLog(incoming)),
    route('PUT', SAFE_MODE_PATHS.restore, (exchange) => recovery.restore(exchange.incoming, queryOf(exchange))),
    route('POST', SAFE_MODE_PATHS.resume, (exchange) => recovery.resume(queryOf(exchange).acceptsRows)),
  ];
}

function queryOf({ queryText }: Exchange): RestoreQuery {
  const { accept_rows, log } = parseQuery(queryText);
  return { acceptsRows: accept_rows === 'true', hasLog: log === 'true' };
}
