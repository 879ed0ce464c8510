import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/** Answer of a handler that writes to the connection itself. Nothing is added to its output. */
export const ALREADY_SENT: Response = RESPONSE_ALREADY_SENT;
