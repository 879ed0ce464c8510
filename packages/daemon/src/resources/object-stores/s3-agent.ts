/** Connections of the SDK, which does not notice that a server switches to another protocol. */
import type { Agent, ClientRequest } from 'node:http';

/** How Node hands a request to its agent: every agent has this method, but the documentation does not name it. */
interface Queue {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/**
 * Makes requests of an agent fail if the server answers with `101 Switching Protocols`. Without a listener for `upgrade`,
 * Node closes such a request without an error, and the SDK waits for it forever.
 */
export function refusingUpgrades<A extends Agent>(agent: A): A {
  const queue = agent as A & Queue;
  const add = queue.addRequest.bind(queue);
  queue.addRequest = (request, ...rest) => {
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      request.emit('error', new Error('the server switches to another protocol'));
    });
    add(request, ...rest);
  };
  return agent;
}
