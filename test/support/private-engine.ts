/**
 * A separate Docker Engine that a test can stop and start. The engine has its own network namespace, folders, control
 * group and socket, so that it does not affect the engine of the machine.
 */

import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PATIENCE_MS, patience } from '@davit/testkit/waiting';
import Docker from 'dockerode';
import { engineFlags } from '../../scripts/lib/engine-settings.mjs';

const run = promisify(execFile);

/** Returns why such an engine is impossible here, or null if it is possible. */
export function whyNoPrivateEngine(): string | null {
  return process.getuid?.() === 0 ? null : 'an engine of its own needs root';
}

export interface EngineStart {
  /**
   * Whether containers keep running while the engine is stopped, so that the engine takes them over at its next start.
   */
  liveRestore: boolean;
}

export class PrivateEngine implements AsyncDisposable {
  /** Address of the engine in the format of `DOCKER_HOST`. */
  readonly dockerHost: string;
  /** Address under which this process reaches programs that listen on all addresses inside. */
  readonly address: string;
  readonly docker: Docker;
  readonly #folder: string;
  readonly #name: string;
  readonly #holder: ChildProcess;
  #engine: ChildProcess | null = null;

  private constructor(folder: string, name: string, holder: ChildProcess, address: string) {
    this.#folder = folder;
    this.#name = name;
    this.#holder = holder;
    this.address = address;
    const socketPath = join(folder, 'docker.sock');
    this.dockerHost = `unix://${socketPath}`;
    this.docker = new Docker({ socketPath });
  }

  /** Creates the namespaces and folders, and starts an engine in them. */
  static async create(start: EngineStart): Promise<PrivateEngine> {
    const folder = await mkdtemp(join(tmpdir(), 'davit-dockerd-'));
    const name = `dv${randomBytes(4).toString('hex')}`;
    const holder = await holdNamespaces();
    const pair = 4 * randomInt(2 ** 15 - 1);
    const prefix = `198.${18 + (pair >> 16)}.${(pair >> 8) & 255}`;
    const engine = new PrivateEngine(folder, name, holder, `${prefix}.${(pair & 255) + 2}`);
    try {
      await connect(name, String(holder.pid), `${prefix}.${(pair & 255) + 1}`, engine.address);
      await engine.start(start);
      return engine;
    } catch (error) {
      await engine[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Prefix for a command that must run inside the engine's network. */
  get enter(): string[] {
    return ['nsenter', `--net=/proc/${this.#holder.pid}/ns/net`, '--'];
  }

  /** Starts the engine and resolves when it responds. */
  async start({ liveRestore }: EngineStart): Promise<void> {
    const at = (name: string) => join(this.#folder, name);
    const child = spawn(
      'nsenter',
      [
        ...['--target', String(this.#holder.pid), '--net', '--mount', '--', 'dockerd'],
        ...['--data-root', at('data'), '--exec-root', at('exec'), '--pidfile', at('pid')],
        ...['--host', this.dockerHost, '--cgroup-parent', `/${this.#name}`],
        ...(await engineFlags({ liveRestore })),
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#engine = child;
    const log = pipeline(child.stderr, createWriteStream(at('log'), { flags: 'a' }));
    log.catch((error: unknown) => console.error('write the log of the private engine:', error));
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await this.#answers())) {
      if (child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`the private engine does not start: ${(await readFile(at('log'), 'utf8')).slice(-2_000)}`);
      }
      await delay(50);
    }
  }

  /**
   * Stops the engine with SIGTERM and resolves when it has ended. Its containers end too, unless `liveRestore` was set.
   */
  async stop(): Promise<void> {
    const child = this.#engine;
    this.#engine = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit', { signal: patience() });
    child.kill('SIGTERM');
    await exited;
  }

  /**
   * Simulates a restart of the machine: ends the engine, all its containers and helper processes, and their state in
   * memory, and starts the engine.
   */
  async reboot(start: EngineStart): Promise<void> {
    const containers = await this.docker.listContainers();
    const found = await Promise.all(containers.map(({ Id }) => this.docker.getContainer(Id).inspect()));
    await this.stop();
    for (const { State } of found) kill(State.Pid);
    const holder = String(this.#holder.pid);
    await killMembers(holder);
    const state = join(this.#folder, 'exec');
    await run('nsenter', ['--target', holder, '--mount', 'sh', '-c', UNMOUNT_ALL, state]);
    await rm(state, { recursive: true });
    await this.start(start);
  }

  /**
   * Copies images from the engine of the machine. This engine cannot build them, because its network has no access to
   * packages.
   */
  async copyImages(references: readonly string[]): Promise<void> {
    // One archive contains shared layers only once.
    const save = spawn('docker', ['save', ...references], { stdio: ['ignore', 'pipe', 'inherit'] });
    const saved = once(save, 'close');
    const stream = await this.docker.loadImage(save.stdout);
    await new Promise<void>((resolve, reject) => {
      this.docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()));
    });
    const [code] = await saved;
    if (code !== 0) throw new Error(`docker save ended with exit code ${code}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (this.#engine === null) await this.start({ liveRestore: false });
      const containers = await this.docker.listContainers({ all: true });
      // The engine may fail to remove a container whose file system is in use. Its processes are killed below.
      await Promise.allSettled(
        containers.map(({ Id }) => this.docker.getContainer(Id).remove({ force: true, v: true })),
      );
      await this.stop();
    } finally {
      // An engine that is stopped while it starts a container forgets the container and leaves it running.
      await killMembers(String(this.#holder.pid));
      // The namespaces and the network link end with the last process in them.
      this.#holder.kill('SIGKILL');
      await removeControlGroups(this.#name);
      await rm(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  }

  async #answers(): Promise<boolean> {
    return this.docker.ping().then(
      () => true,
      () => false,
    );
  }
}

/** Starts a process that only keeps a network and a mount namespace. The new process ends with this process. */
async function holdNamespaces(): Promise<ChildProcess> {
  const holder = spawn('unshare', ['--net', '--mount', 'cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  holder.stdin.write('ready\n');
  await once(holder.stdout, 'data', { signal: patience() });
  // The engine always stores some files under /run. A separate /run keeps these files away from the machine.
  await run('nsenter', ['--target', String(holder.pid), '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/run']);
  await run('nsenter', ['--target', String(holder.pid), '--mount', 'mkdir', '/run/docker', '/run/netns']);
  return holder;
}

/** Creates a link between this machine and the namespace, with two unused addresses. */
async function connect(name: string, pid: string, here: string, there: string): Promise<void> {
  const inside = (...args: string[]) => run('nsenter', ['--target', pid, '--net', 'ip', ...args]);
  await run('ip', ['link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pid]);
  await run('ip', ['addr', 'add', `${here}/30`, 'dev', name]);
  await run('ip', ['link', 'set', name, 'up']);
  await inside('link', 'set', 'lo', 'up');
  await inside('addr', 'add', `${there}/30`, 'dev', 'eth0');
  await inside('link', 'set', 'eth0', 'up');
}

/** Script that unmounts everything in the folder `$0`, the inner mounts first. */
const UNMOUNT_ALL =
  'for at in $(findmnt --raw --noheadings --output TARGET | grep "^$0/" | sort -r); do umount "$at"; done';

/** Kills the processes that the engine left in the mount namespace of a process, except that process. */
async function killMembers(holder: string): Promise<void> {
  // A process that has ended in the meantime is in no namespace.
  const namespaceOf = (pid: string) => readlink(`/proc/${pid}/ns/mnt`).catch(() => null);
  const namespace = await namespaceOf(holder);
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid) || pid === holder || namespace === null) continue;
    if ((await namespaceOf(pid)) === namespace) kill(Number(pid));
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The process ended before the signal, which is the intended result.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const CONTROL_GROUPS = '/sys/fs/cgroup';

/** Removes the parent control group that the engine leaves behind, one in total or one for each controller. */
async function removeControlGroups(name: string): Promise<void> {
  const controllers = await readdir(CONTROL_GROUPS);
  const candidates = [join(CONTROL_GROUPS, name), ...controllers.map((one) => join(CONTROL_GROUPS, one, name))];
  for (const group of candidates) await removeGroup(group);
}

/** Kills the processes of a group and of its subgroups, and removes the group when it is empty. */
async function removeGroup(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nothingWhenGone);
  if (entries === null) return;
  for (const entry of entries) if (entry.isDirectory()) await removeGroup(join(folder, entry.name));
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const pids = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(nothingWhenGone);
    for (const pid of pids?.match(/\d+/g) ?? []) kill(Number(pid));
    try {
      return await rmdir(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY' || performance.now() > deadline) throw error;
      await delay(20);
    }
  }
}

function nothingWhenGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}
