/**
 * Ports for the servers that tests start. Taken below the range from which the kernel gives ports to connections, so
 * that none of those is in the way, and claimed for as long as this process lives: test files run beside each other,
 * and a server may stop and come back to its port.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

const LOWEST = 10_000;
const BEYOND = 32_768;

/** A TCP port that nobody listens on, and that no other caller on this machine is given while this process lives. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (BEYOND - LOWEST));
    const claim = await claimed(port);
    if (claim === null) continue;
    if (await isFree(port)) return port;
    claim.close();
  }
}

/** A socket in the kernel’s abstract name space: it goes when its process does, however that ends. Null: another’s. */
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
