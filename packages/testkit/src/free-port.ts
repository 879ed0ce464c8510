/**
 * Selects free TCP ports for test servers. To avoid conflicts, these ports are below the ports that the kernel uses for
 * outgoing connections.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

const LOWEST = 10_000;
const BEYOND = 32_768;
/**
 * TCP port that `fetch` blocks for security reasons. In the range of ports for test servers, this is the only blocked
 * port.
 */
const REFUSED_BY_FETCH = 10_080;

/** Returns a free TCP port. No other test process on this machine gets the port until this process ends. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (BEYOND - LOWEST));
    if (port === REFUSED_BY_FETCH) continue;
    const claim = await claimed(port);
    if (claim === null) continue;
    if (await isFree(port)) return port;
    claim.close();
  }
}

/**
 * Reserves a TCP port with an abstract Unix socket until this process exits, because a test may restart its server.
 * Returns `null` if the port is already reserved.
 */
async function claimed(port: number): Promise<Server | null> {
  const claim = createServer().unref();
  return (await listens(claim, { path: `\0davit-test-port-${port}` })) ? claim : null;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  if (!(await listens(server, { port, host: '0.0.0.0' }))) return false;
  server.close();
  await once(server, 'close');
  return true;
}

async function listens(server: Server, where: { path: string } | { port: number; host: string }): Promise<boolean> {
  try {
    server.listen(where);
    await once(server, 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}
