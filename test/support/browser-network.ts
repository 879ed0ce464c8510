/**
 * A separate network for a browser that accesses programs on this machine. A browser aborts its requests when an
 * interface of its network appears or disappears, and other tests create and remove containers all the time. Only some
 * ports are forwarded.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NetworkRequest } from './browser-network-inside.ts';

const INSIDE = join(import.meta.dirname, 'browser-network-inside.ts');

export class BrowserNetwork implements AsyncDisposable {
  /** Program that runs a command inside the network. Its arguments are passed to the command. */
  readonly enter: string;
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #servers: Server[];

  /**
   * Creates the network.
   * @param command program that runs inside the network
   * @param ports ports of this machine that are available in the network
   */
  static async create(command: string, ports: readonly number[]): Promise<BrowserNetwork> {
    const folder = await mkdtemp(join(tmpdir(), 'davit-network-'));
    // Sockets in a folder are reachable from every network namespace.
    const doors = ports.map((port) => ({ port, path: join(folder, String(port)) }));
    const servers = await Promise.all(doors.map(({ port, path }) => lead(path, () => connect(port, '127.0.0.1'))));
    const child = spawn('unshare', ['--net', '--', process.execPath, INSIDE], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.send({ doors } satisfies NetworkRequest);
    const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (answer !== 'ready') throw new Error(`a network for the browser cannot be made: exit code ${answer}`);
    const enter = join(folder, 'enter');
    await writeFile(enter, `#!/bin/sh\nexec nsenter --net=/proc/${child.pid}/ns/net -- ${command} "$@"\n`);
    await chmod(enter, 0o755);
    return new BrowserNetwork(enter, folder, child, servers);
  }

  private constructor(enter: string, folder: string, child: ChildProcess, servers: Server[]) {
    this.enter = enter;
    this.#folder = folder;
    this.#child = child;
    this.#servers = servers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
    for (const server of this.#servers) server.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Listens at an address, and connects each client to another address. */
export async function lead(where: string | { port: number; host: string }, open: () => Socket): Promise<Server> {
  const server = createServer((near) => {
    const far = open();
    // If one side ends, the other side ends too.
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  server.listen(where);
  await once(server, 'listening');
  return server;
}
