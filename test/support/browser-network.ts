/**
 * A network for a browser that shall see what runs on this machine: a browser breaks off what it asks whenever an interface
 * of its network comes or goes, and beside it containers are made and removed all the time. Only some ports lead out.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Asked } from './browser-network-inside.ts';

const INSIDE = join(import.meta.dirname, 'browser-network-inside.ts');

export class BrowserNetwork implements AsyncDisposable {
  /** Runs a command inside; what it is given goes to that one. */
  readonly enter: string;
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #servers: Server[];

  /** @param ports of this machine that are in the network, too */
  static async create(command: string, ports: readonly number[]): Promise<BrowserNetwork> {
    const folder = await mkdtemp(join(tmpdir(), 'davit-network-'));
    // Sockets in a folder are the same in every network.
    const doors = ports.map((port) => ({ port, path: join(folder, String(port)) }));
    const servers = await Promise.all(doors.map(({ port, path }) => lead(path, () => connect(port, '127.0.0.1'))));
    const child = spawn('unshare', ['--net', '--', process.execPath, INSIDE], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.send({ doors } satisfies Asked);
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

/** Listens somewhere, and joins each who comes with a connection to elsewhere. */
export async function lead(where: string | { port: number; host: string }, open: () => Socket): Promise<Server> {
  const server = createServer((near) => {
    const far = open();
    // Who breaks off on one side does so on the other.
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  server.listen(where);
  await once(server, 'listening');
  return server;
}
