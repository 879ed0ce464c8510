/**
 * A minimal Debian without Docker and Node, in its own namespaces. It simulates a new server for tests of the
 * installer. Its files, processes and network are separate from the machine that runs the tests.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { patience } from '@davit/testkit/waiting';

const run = promisify(execFile);
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const OUTPUT_BYTES = 16 * 1024 * 1024;
const CONTROL_GROUPS = '/sys/fs/cgroup';

/**
 * Mounts the file systems of a server, and makes `$0` the root folder. The last command keeps the namespaces until its
 * input ends. With version 1 of control groups, the parent folder is a plain file system. The simulated server gets its
 * own parent folder. Otherwise, programs that mount control groups would create folders on the server that runs the
 * tests.
 */
const BOOT = `
set -e
mount --make-rprivate /
mount --bind "$0" "$0"
mount -t proc proc "$0/proc"
mount -t sysfs sysfs "$0/sys"
if [ "$(stat --file-system --format=%T /sys/fs/cgroup)" = tmpfs ]; then
  mount -t tmpfs tmpfs "$0/sys/fs/cgroup"
  for group in /sys/fs/cgroup/*; do
    if [ -L "$group" ]; then cp --no-dereference "$group" "$0$group"; continue; fi
    mkdir "$0$group"
    mount --bind "$group" "$0$group"
  done
else
  mount --rbind /sys/fs/cgroup "$0/sys/fs/cgroup"
fi
mount --rbind /dev "$0/dev"
mount -t tmpfs tmpfs "$0/run"
mkdir -p "$0/.old"
cd "$0"
pivot_root . .old
umount -l /.old
echo ready
exec cat
`;

export interface Ran {
  code: number;
  output: string;
}

export class CleanMachine implements AsyncDisposable {
  /** Address under which this process reaches programs of the machine. */
  readonly address: string;
  /** Root folder of the machine. */
  readonly root: string;
  readonly #name: string;
  readonly #place: string;
  #holder: ChildProcess | null = null;
  #init = '';
  #proxy: Server | null = null;

  private constructor(place: string, name: string, address: string) {
    this.#place = place;
    this.root = join(place, 'root');
    this.#name = name;
    this.address = address;
  }

  static async create(): Promise<CleanMachine> {
    const pair = 4 * randomInt(2 ** 14 - 1);
    const prefix = `198.19.${(pair >> 8) & 255}`;
    const place = await mkdtemp(join(tmpdir(), 'davit-machine-'));
    const machine = new CleanMachine(place, `dm${randomBytes(4).toString('hex')}`, `${prefix}.${(pair & 255) + 2}`);
    try {
      await machine.#install();
      await machine.#boot(`${prefix}.${(pair & 255) + 1}`);
      return machine;
    } catch (error) {
      await machine[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Runs a command on the machine, with both outputs in one text. */
  run(command: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
    const variables = Object.entries({ PATH, HOME: '/root', ...env }).map(([name, value]) => `${name}=${value}`);
    const args = ['--target', this.#init, '--all', 'env', '--ignore-environment', ...variables, ...command];
    return new Promise((resolve) => {
      execFile('nsenter', args, { maxBuffer: OUTPUT_BYTES }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
      });
    });
  }

  async #install(): Promise<void> {
    await mkdir(this.root);
    const os = await readFile('/etc/os-release', 'utf8');
    const suite = /^VERSION_CODENAME=(\w+)$/m.exec(os)?.[1] ?? '';
    // The simulated server uses the package sources of this server.
    const sources = '/etc/apt/sources.list.d/debian.sources';
    await run('mmdebstrap', ['--quiet', '--variant=minbase', suite, this.root, sources], { maxBuffer: OUTPUT_BYTES });
  }

  async #boot(here: string): Promise<void> {
    const namespaces = ['--net', '--mount', '--pid', '--ipc', '--uts', '--fork'];
    const holder = spawn('unshare', [...namespaces, 'sh', '-c', BOOT, this.root], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#holder = holder;
    await once(holder.stdout, 'data', { signal: patience() });
    const children = await readFile(`/proc/${holder.pid}/task/${holder.pid}/children`, 'utf8');
    this.#init = children.trim();
    const inside = (...args: string[]) => run('nsenter', ['--target', this.#init, '--net', 'ip', ...args]);
    await run('ip', ['link', 'add', this.#name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', this.#init]);
    await run('ip', ['addr', 'add', `${here}/30`, 'dev', this.#name]);
    await run('ip', ['link', 'set', this.#name, 'up']);
    await inside('link', 'set', 'lo', 'up');
    await inside('addr', 'add', `${this.address}/30`, 'dev', 'eth0');
    await inside('link', 'set', 'eth0', 'up');
    await inside('route', 'add', 'default', 'via', here);
    this.#proxy = await serveProxy(here);
    const { port } = this.#proxy.address() as AddressInfo;
    await writeFile(join(this.root, 'etc/apt/apt.conf.d/proxy'), `Acquire::http::Proxy "http://${here}:${port}";\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#proxy?.closeAllConnections();
    this.#proxy?.close();
    if (this.#holder !== null && this.#holder.exitCode === null) {
      const ended = once(this.#holder, 'exit');
      // When the first process of a PID namespace ends, the kernel ends all other processes of the namespace.
      process.kill(Number(this.#init) || Number(this.#holder.pid), 'SIGKILL');
      await ended;
    }
    await removeGroups(join(this.root, 'var/lib/docker/containers'));
    await rm(this.#place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Starts an HTTP proxy with which the machine downloads packages. */
async function serveProxy(host: string): Promise<Server> {
  const server = createServer(forward);
  server.listen(0, host);
  await once(server, 'listening');
  return server;
}

function forward(incoming: IncomingMessage, response: ServerResponse): void {
  const outgoing = request(incoming.url ?? '', { method: incoming.method, headers: incoming.headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.writeHead(502).end());
  incoming.pipe(outgoing);
}

/**
 * Removes the control groups of containers. An engine that is killed leaves them behind, on this machine.
 * @param containers folder of the engine with one folder for each container
 */
async function removeGroups(containers: string): Promise<void> {
  const ids = await readdir(containers).catch(() => []);
  const parents = ['', ...(await readdir(CONTROL_GROUPS))].map((name) => join(CONTROL_GROUPS, name, 'docker'));
  for (const id of ids) {
    for (const parent of parents) await rmdir(join(parent, id)).catch(() => undefined);
  }
}
