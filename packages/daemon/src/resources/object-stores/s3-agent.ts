/** HTTP connections for the SDK, which does not detect that a server switches to another protocol. */
import type { Agent, ClientRequest } from 'node:http';

/** Undocumented method of Node.js agents, which receives each request. */
interface Queue {
  addRequest(request: ClientRequest, ...rest: unknown[]): void;
}

/**
 * Changes an agent so that its requests fail if the server answers with `101 Switching Protocols`. Without a listener
 * for `upgrade`, Node.js closes such a request without an error, and the SDK waits forever.
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
