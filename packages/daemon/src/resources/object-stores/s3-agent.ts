/**
 * HTTP agents for the AWS SDK. They reject responses that switch to another protocol, because the AWS SDK does not
 * handle such responses.
 */
import type { Agent, ClientRequest } from 'node:http';

/**
 * Internal method of the HTTP agents of Node.js. Node.js calls it to send a request with the agent. The method is not
 * documented.
 */
interface Queue {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/**
 * Makes a request fail on `101 Switching Protocols`. By default, Node.js closes the connection without an error, and
 * the AWS SDK waits forever.
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
