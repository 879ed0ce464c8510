import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/** What an app answers when it writes to the connection by itself: nothing is added to what it sends. */
export const ALREADY_SENT: Response = RESPONSE_ALREADY_SENT;
