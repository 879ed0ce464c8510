/**
 * HTTP agents for the AWS SDK. They reject responses that switch to another protocol, because the AWS SDK does not
 * handle such responses.
 */
import type { Agent, ClientRequest } from 'node:http';

/** Undocumented method of HTTP agents in Node.js. Node.js calls it for each request. */
interface Queue {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/**
 * Changes an HTTP agent so that a response `101 Switching Protocols` fails the request. Without a listener for the
 * event `upgrade`, Node.js closes such a connection without an error, and the AWS SDK waits for ever.
 */
export function refusingUpgrades<A extends Agent>(agent: A): A {
  const queue = agent as A & Queue;
  const add = queue.addRequest.bind(queue);
  queue.addRequest = (request, ...rest) => {
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      request.emit('error', new Error('the object store sent an unexpected response: 101 Switching Protocols'));
    });
    add(request, ...rest);
  };
  return agent;
}
