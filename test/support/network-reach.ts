/**
 * Sends packets from inside a network namespace, to test what a container can reach without programs of the container.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Target {
  address: string;
  port: number;
  /** Transport protocol. Default: `tcp`. */
  protocol?: 'tcp' | 'udp';
}

/** A program that accepts TCP connections and answers UDP packets on all addresses, IPv4 and IPv6. */
const LISTEN = `
  const ports = process.argv.slice(1).map(Number);
  let waiting = 2 * ports.length;
  const ready = () => { waiting -= 1; if (waiting === 0) console.log('ready'); };
  for (const port of ports) {
    require('node:net').createServer((socket) => socket.on('error', () => {}).end('here')).listen(port, '::', ready);
    const udp = require('node:dgram').createSocket('udp6');
    udp.on('message', (_, from) => udp.send('here', from.port, from.address)).bind(port, '::', ready);
  }
`;

/** A program that prints whether each target answers, as JSON. */
const REACH = `
  const { connect } = require('node:net');
  const { createSocket } = require('node:dgram');
  const tcp = ({ address, port }) => new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: 2000 });
    const end = (found) => { socket.destroy(); resolve(found); };
    socket.on('connect', () => end(true)).on('error', () => end(false)).on('timeout', () => end(false));
  });
  const udp = ({ address, port }) => new Promise((resolve) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    const timer = setTimeout(() => end(false), 1000);
    const end = (found) => { clearTimeout(timer); socket.removeAllListeners().on('error', () => {}); socket.close(); resolve(found); };
    socket.on('message', () => end(true)).on('error', () => end(false));
    // The socket is not connected, because a program that listens on all addresses may answer from another address.
    socket.send('hello', port, address, (error) => error && end(false));
  });
  Promise.all(JSON.parse(process.argv[1]).map((target) => (target.protocol === 'udp' ? udp : tcp)(target)))
    .then((found) => console.log(JSON.stringify(found)));
`;

/**
 * Listens until it is disposed.
 * @param enter prefix of the command that runs it in the namespace
 */
export async function listenIn(enter: string[], ports: number[]): Promise<Disposable> {
  const [command = '', ...args] = [...enter, process.execPath, '-e', LISTEN, ...ports.map(String)];
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ready = child.stdout === null ? Promise.reject(new Error('it has no output')) : once(child.stdout, 'data');
  await Promise.race([ready, once(child, 'exit').then(() => Promise.reject(new Error('the listener ended')))]);
  return { [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

/**
 * Returns the targets that answer, each as `protocol address port`.
 * @param pid process in the namespace
 */
export async function reachedFrom(pid: number, targets: Target[]): Promise<string[]> {
  const inside = [`--net=/proc/${pid}/ns/net`, '--', process.execPath, '-e', REACH, JSON.stringify(targets)];
  const { stdout } = await run('nsenter', inside);
  const found = JSON.parse(stdout) as boolean[];
  return targets.filter((_, index) => found[index]).map(nameOf);
}

export function nameOf({ address, port, protocol = 'tcp' }: Target): string {
  return `${protocol} ${address} ${port}`;
}
