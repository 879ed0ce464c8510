import type { ClientRequest, IncomingMessage } from 'node:http';

/**
 * Resolves with the response to a request of Node's HTTP client.
 * @throws an error if the connection fails or is closed without a response
 */
export function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', resolve).on('error', reject);
  // If the server switches to another protocol (status 101), Node reports this only with a `close` event.
  request.on('close', () => reject(new Error('the connection ended without an HTTP response')));
  return promise;
}
