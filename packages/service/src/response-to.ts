import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Resolves with the response to a request of Node's HTTP client. Rejects if the connection closes without a response.
 * If the server switches to another protocol (status 101), Node reports this only with a `close` event.
 * @throws the error of the connection
 * @throws an error if the connection closed without a response
 */
export function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', resolve).on('error', reject);
  request.on('close', () => reject(new Error('the connection ended without an HTTP response')));
  return promise;
}
