import { DavitError } from '@davit/api';
import type { Exchange } from '../exchange.ts';

/**
 * Format of the header `Sec-WebSocket-Key`. Davit checks the format, because the WebSocket library would reject an
 * invalid key with its own error message.
 */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSION = '13';

/** Checks that a request is a valid WebSocket handshake. @throws DavitError bad_request */
export function demandHandshake({ upgrade, headers }: Exchange): void {
  if (upgrade === undefined) {
    throw new DavitError('bad_request', 'This endpoint is a WebSocket. Connect to it with “ws://” or “wss://”.');
  }
  const isWhole = KEY.test(headers['sec-websocket-key'] ?? '') && headers['sec-websocket-version'] === VERSION;
  if (!isWhole)
    throw new DavitError('bad_request', 'The WebSocket handshake is not valid. Use version 13 of the protocol.');
}
