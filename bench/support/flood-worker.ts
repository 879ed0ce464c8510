/**
 * The attacker, in a separate process. The attacker opens many connections from many addresses, and each connection
 * tries one password after another. A message starts the attack. The process reports when all connections are open or
 * refused, and at the end the received responses.
 */
import { connect, type Socket } from 'node:net';

export interface FloodAsk {
  port: number;
  attempts: number;
  connections: number;
  /** Loopback addresses of the connections, used in turn. */
  addresses: string[];
  /** User of half of the attempts. The other attempts use names that do not exist. */
  victim: string;
}

export interface FloodTold {
  open: number;
  turnedAway: number;
  answers: Record<string, number>;
}

const ANSWER = /^HTTP\/1\.1 (\d{3}) /;

process.once('message', (ask: FloodAsk) => void flood(ask));

async function flood(ask: FloodAsk): Promise<void> {
  const told: FloodTold = { open: 0, turnedAway: 0, answers: {} };
  let left = ask.attempts;
  const next = (): number => (left > 0 ? left-- : 0);
  const lanes: Promise<void>[] = [];
  for (let n = 0; n < ask.connections; n += 1) {
    lanes.push(lane(ask, n, next, told));
    // A burst of SYN packets beyond the listen queue would measure the retries of the kernel.
    if (n % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(lanes);
  process.send?.(told);
}

/** Opens one connection after another from one address until no attempt is left. */
async function lane(ask: FloodAsk, n: number, next: () => number, told: FloodTold): Promise<void> {
  const localAddress = ask.addresses[n % ask.addresses.length] ?? '127.0.0.1';
  for (let attempt = next(); attempt > 0; ) {
    const socket = await opened(ask.port, localAddress);
    if (socket === null) {
      told.turnedAway += 1;
      attempt = next();
      continue;
    }
    told.open += 1;
    while (attempt > 0) {
      const status = await tryOnce(socket, ask, attempt);
      told.answers[status] = (told.answers[status] ?? 0) + 1;
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

function tryOnce(socket: Socket, { victim }: FloodAsk, attempt: number): Promise<string> {
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
