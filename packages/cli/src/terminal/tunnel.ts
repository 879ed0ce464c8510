/** Opens a local TCP port. For each connection to this port, the CLI opens a WebSocket of the instance. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import { NORMAL } from './closed.ts';
import { connect } from './connect.ts';
import { messageIn, sendStream, watchConnection } from './talk.ts';

const HOST = '127.0.0.1';

/** An open local port. */
export interface Tunnel {
  port: number;
  /** Promise that resolves after the user has canceled and all connections are closed. */
  ended: Promise<void>;
}

/**
 * Opens a local port. Each connection to this port is forwarded to the target of the tunnel.
 * @param path path of the target's WebSocket
 * @param port number of the local port. 0 means any free port
 * @throws CliError if the port cannot be opened
 */
export async function openTunnel(ctx: Context, path: string, port: number): Promise<Tunnel> {
  const connection = await ctx.connection();
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (local) => {
    open.add(local);
    local.once('close', () => open.delete(local)).on('error', () => undefined);
    // An error may affect only one connection. Therefore, the command continues with the other connections.
    connect(connection, path, ctx)
      .then((socket) => join(socket, local, (reason) => ctx.out.note(reason, 'red')))
      .catch((error: Error) => {
        local.destroy();
        if (!ctx.signal.aborted) ctx.out.note(error.message, 'red');
      });
  });
  await listen(server, port);
  const onAbort = () => {
    server.close();
    for (const local of open) local.destroy();
  };
  const ended = once(server, 'close').then(() => undefined);
  if (ctx.signal.aborted) onAbort();
  else ctx.signal.addEventListener('abort', onAbort, { once: true });
  return { port: (server.address() as AddressInfo | null)?.port ?? port, ended };
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    const listening = once(server, 'listening');
    server.listen(port, HOST);
    await listening;
  } catch (cause) {
    const message = `The port ${port} of this computer cannot be opened. Choose another port.`;
    throw new CliError('failed', message, { cause });
  }
}

/**
 * Copies data between a WebSocket and a local connection, only as fast as both sides can read. A text message marks the
 * end of the data in one direction.
 * @param report called with the reason if the instance closed the connection
 */
function join(socket: WebSocket, local: Socket, report: (reason: string) => void): void {
  const unwatch = watchConnection(socket);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (!isBinary) {
      if (messageIn(data).end === true) local.end();
    } else if (!local.destroyed && !local.write(data)) {
      socket.pause();
      local.once('drain', () => socket.resume());
    }
  });
  socket.on('error', () => undefined);
  socket.once('close', (code, reason) => {
    unwatch();
    if (code === NORMAL) local.destroySoon();
    else local.destroy();
    if (code !== NORMAL && reason.length > 0) report(String(reason));
  });
  local.once('close', () => {
    // Closes the WebSocket. Otherwise, the remote side could wait for data forever.
    if (socket.readyState === socket.OPEN) socket.close(NORMAL);
    socket.resume();
  });
  if (local.destroyed) {
    socket.terminate();
    return;
  }
  sendStream(socket, local);
  socket.resume();
}
