/**
 * Runs the installer with its own folders and processes, so that it can change files. No file of this machine changes.
 * The releases contain shell scripts instead of programs.
 */
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { appendFile, chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@davit/testkit/ports';
import { patience } from '@davit/testkit/waiting';

const run = promisify(execFile);
const PACKAGING = join(import.meta.dirname, '../../packaging');
export const INSTALLER = join(PACKAGING, 'install.sh');
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Folders that the installer changes. */
const FOLDERS = ['etc', 'opt', 'run', 'usr/local/bin'];
/** The last line keeps the shell as the first process of the namespace, because signals cannot end this process. */
const ENTER = `
set -e
for folder in ${FOLDERS.join(' ')}; do mount --bind "$0/$folder" "/$folder"; done
"$@"
exit 0
`;

export interface Programs {
  /** Shell script instead of the daemon. By default it runs until a signal ends it. */
  davitd?: string;
  /** Shell script that ends with 0 if the instance is ready. By default it is ready at once. */
  ready?: string;
}

export class Installation implements AsyncDisposable {
  /** User ID of the user davit. */
  static readonly UID = 64_123;
  /** Folder of this machine with the folders that the installer changes. */
  readonly root: string;
  readonly #ports: string[];

  private constructor(root: string, ports: string[]) {
    this.root = root;
    this.#ports = ports;
  }

  static async create(): Promise<Installation> {
    const root = await mkdtemp(join(tmpdir(), 'davit-installation-'));
    const ports = ['--http-port', String(await freePort()), '--https-port', String(await freePort())];
    const made = new Installation(root, ports);
    // The user davit must reach the data directory.
    await chmod(root, 0o755);
    for (const folder of FOLDERS) await mkdir(join(root, folder), { recursive: true });
    await run('cp', ['-a', '/etc/.', join(root, 'etc')]);
    const account = `davit:x:${Installation.UID}:`;
    await appendFile(join(root, 'etc/passwd'), `${account}${Installation.UID}::/nonexistent:/usr/sbin/nologin\n`);
    await appendFile(join(root, 'etc/group'), `${account}\n`);
    await rm(join(root, 'etc/davit'), { recursive: true, force: true });
    return made;
  }

  /** Data directory of the instance, for this process and for the installer. */
  get data(): string {
    return join(this.root, 'data');
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  /** Writes a release and its digest into a folder. @returns path of the archive */
  async release(
    version: string,
    { davitd = 'exec tail -f /dev/null', ready = 'exit 0' }: Programs = {},
  ): Promise<string> {
    const folder = this.path('releases', version);
    const top = join(folder, `davit-${version}`);
    const scripts = {
      'bin/davitd': davitd,
      'bin/davit': 'exit 0',
      'runtime/node': `[ "$1" != --version ] || exit 0\n${ready}`,
    };
    for (const [path, script] of Object.entries(scripts)) {
      await mkdir(dirname(join(top, path)), { recursive: true });
      await writeFile(join(top, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    await copyFile(join(PACKAGING, 'davit-supervise'), join(top, 'bin/davit-supervise'));
    await writeFile(join(top, 'VERSION'), `${version}\n`);
    const name = `davit-${version}-linux-${process.arch}.tar.gz`;
    await run('tar', ['-czf', join(folder, name), '-C', folder, `davit-${version}`]);
    await rm(top, { recursive: true });
    await writeFile(join(folder, 'SHA256SUMS'), `${hash('sha256', await readFile(join(folder, name)))}  ${name}\n`);
    return join(folder, name);
  }

  /** Creates a data directory with a database that belongs to a user. */
  async instance(folder: string, uid: number): Promise<void> {
    await mkdir(folder);
    await writeFile(join(folder, 'davit.db'), '');
    await chown(folder, uid, uid);
  }

  /** Runs the installer. */
  install(from: string, args: readonly string[] = [], env: Record<string, string> = {}) {
    return this.run(this.command(from, args), env);
  }

  /** Returns the command of the installer with its arguments. */
  command(from: string, args: readonly string[] = []): string[] {
    const options = ['--engine', 'memory', '--data-dir', this.data, '--unsigned', ...this.#ports];
    return ['sh', INSTALLER, '--from', from, ...options, ...args];
  }

  /** Runs a command with the folders of this installation. The processes that it started end with it. */
  run(command: readonly string[], env: Record<string, string> = {}): Promise<{ code: number; output: string }> {
    const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const args = [...namespaces, 'sh', '-c', ENTER, this.root, ...command];
    return new Promise((resolve) => {
      execFile('unshare', args, { env: { PATH, ...env }, signal: patience() }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
      });
    });
  }

  /** Puts a shell script before a program of the machine. */
  async replaceProgram(name: string, script: string): Promise<void> {
    await writeFile(this.path('usr/local/bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  restoreProgram(name: string): Promise<void> {
    return rm(this.path('usr/local/bin', name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
