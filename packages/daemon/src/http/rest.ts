import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a connection is not read from. */
export const REST_MS = 5_000;

/**
 * Lets the connection of a stranger rest who was just told that he tries too often: it is answered at once, and its next
 * request is read a little later. A flood over thousands of connections would otherwise fill every turn of the event loop
 * with answers that nobody waits for, and a new connection is taken once a turn. The proxy's connections carry everybody's
 * requests, so that they do not rest.
 */
export function letRest(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.headers['x-forwarded-for'] !== undefined) return;
  const { socket } = incoming;
  // After what is done at the end of an answer, which may read on.
  outgoing.once('finish', () =>
    setImmediate(() => {
      socket.pause();
      setTimeout(() => socket.resume(), REST_MS).unref();
    }),
  );
}
