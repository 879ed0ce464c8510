/**
 * The attacker, in a separate process. The attacker opens many connections from many addresses, and each connection
 * tries one password after another. A message starts the attack. The process reports when all connections are open or
 * refused, and at the end the received responses.
 */
import { connect, type Socket } from 'node:net';

export interface FloodRequest {
  port: number;
  attempts: number;
  connections: number;
  /** Loopback addresses of the connections, used in turn. */
  addresses: string[];
  /** User of half of the attempts. The other attempts use names that do not exist. */
  victim: string;
}

export interface FloodResult {
  /** Number of opened connections. */
  open: number;
  /** Number of refused connections. */
  refused: number;
  /** Number of responses by status code, with `closed` for a connection that ended without a response. */
  responses: Record<string, number>;
}

const ANSWER = /^HTTP\/1\.1 (\d{3}) /;

process.once('message', (request: FloodRequest) => void flood(request));

async function flood(request: FloodRequest): Promise<void> {
  const result: FloodResult = { open: 0, refused: 0, responses: {} };
  let left = request.attempts;
  const next = (): number => (left > 0 ? left-- : 0);
  const lanes: Promise<void>[] = [];
  for (let n = 0; n < request.connections; n += 1) {
    lanes.push(lane(request, n, next, result));
    // The kernel retries connections that do not fit into the listen queue. These retries must not be measured.
    if (n % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(lanes);
  process.send?.(result);
}

/** Opens one connection after another from one address until no attempt is left. */
async function lane(request: FloodRequest, n: number, next: () => number, result: FloodResult): Promise<void> {
  const localAddress = request.addresses[n % request.addresses.length] ?? '127.0.0.1';
  for (let attempt = next(); attempt > 0; ) {
    const socket = await opened(request.port, localAddress);
    if (socket === null) {
      result.refused += 1;
      attempt = next();
      continue;
    }
    result.open += 1;
    while (attempt > 0) {
      const status = await tryOnce(socket, request, attempt);
      result.responses[status] = (result.responses[status] ?? 0) + 1;
      attempt = next();
      if (status === 'closed') break;
    }
    socket.destroy();
  }
}

function opened(port: number, localAddress: string): Promise<Socket | null> {
  const { promise, resolve } = Promise.withResolvers<Socket | null>();
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  socket.once('connect', () => resolve(socket));
  socket.on('error', () => resolve(null));
  return promise;
}

function tryOnce(socket: Socket, { victim }: FloodRequest, attempt: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const username = attempt % 2 === 0 ? victim : `nobody${attempt}`;
  const body = JSON.stringify({ username, password: `guess number ${attempt}` });
  const onData = (bytes: Buffer) => resolve(ANSWER.exec(bytes.toString('latin1', 0, 16))?.[1] ?? 'other');
  const onClose = () => resolve('closed');
  socket.on('data', onData).once('close', onClose);
  socket.write(
    `POST /api/auth/login HTTP/1.1\r\nHost: davit.test\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return promise.finally(() => socket.off('data', onData).off('close', onClose));
}
