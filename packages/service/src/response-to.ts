import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Resolves with the response to a request of Node's HTTP client. Also detects that the connection closed without a
 * response. Node reports this only with a `close` event if the server switches to another protocol (status 101).
 * @throws the error of the connection
 * @throws an error if the request was closed without a response
 */
export function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', resolve).on('error', reject);
  request.on('close', () => reject(new Error('the connection ended without an HTTP response')));
  return promise;
}
