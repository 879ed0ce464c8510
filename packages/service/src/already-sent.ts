import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/** Hono response of a handler that has already written its response to the connection. Hono then sends nothing. */
export const ALREADY_SENT: Response = RESPONSE_ALREADY_SENT;
