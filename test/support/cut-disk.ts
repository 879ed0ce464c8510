/**
 * A disk that loses power: ext4 in an image file, whose own file system can copy that file in one moment. A copy is what a
 * disk holds when the power goes: everything that the kernel has sent to it, and nothing that was in memory alone.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { patience } from '@davit/testkit/waiting';

const run = promisify(execFile);

/** Sparse: they take what is written. */
const DISK_SIZE = '1G';
const HOST_SIZE = '20G';

/** Why no such disk can be had here; null when one can. */
export function whyNoCutDisk(): string | null {
  return process.getuid?.() === 0 ? null : 'mounting disks needs root';
}

export class CutDisk implements AsyncDisposable {
  /** Where the disk is mounted. */
  readonly path: string;
  readonly #folder: string;
  #cuts = 0;

  private constructor(folder: string) {
    this.#folder = folder;
    this.path = join(folder, 'disk');
  }

  static async create(): Promise<CutDisk> {
    const disk = new CutDisk(await mkdtemp(join(tmpdir(), 'davit-cut-')));
    const { host, path } = disk;
    await mkdir(host);
    await mkdir(path);
    await run('truncate', ['-s', HOST_SIZE, `${host}.img`]);
    await run('mkfs.xfs', ['-q', '-m', 'reflink=1', `${host}.img`]);
    await run('mount', ['-o', 'loop', `${host}.img`, host]);
    await run('truncate', ['-s', DISK_SIZE, join(host, 'disk.img')]);
    // Everything is on the disk before the first cut: its own structures are not what is tried.
    await run('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', join(host, 'disk.img')]);
    await run('mount', ['-o', 'loop', join(host, 'disk.img'), path]);
    return disk;
  }

  /** The file system that holds the image. */
  get host(): string {
    return join(this.#folder, 'host');
  }

  /** Keeps what the disk holds at this moment. */
  async cut(): Promise<Cut> {
    this.#cuts += 1;
    const image = join(this.host, `cut-${this.#cuts}.img`);
    await run('cp', ['--reflink=always', join(this.host, 'disk.img'), image]);
    return new Cut(image, this.path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Containers that are being removed may hold it for a moment; a lazy unmount ends with them.
    await run('umount', ['-l', this.path]);
    await run('umount', ['-l', this.host]);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** What was on the disk when the power went. */
export class Cut {
  readonly #image: string;
  readonly #path: string;

  constructor(image: string, path: string) {
    this.#image = image;
    this.#path = path;
  }

  /** Mounts the copy at the path of the disk, visible only in its own mount namespace. */
  async mount(): Promise<MountedCut> {
    const holder = spawn('unshare', ['--mount', '--propagation', 'private', 'cat'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    holder.stdin.write('ready\n');
    await once(holder.stdout, 'data', { signal: patience() });
    const mounted = new MountedCut(holder, this.#image, this.#path);
    try {
      await run(mounted.enter[0] ?? '', [...mounted.enter.slice(1), 'mount', '-o', 'loop', this.#image, this.#path]);
    } catch (error) {
      await mounted[Symbol.asyncDispose]();
      throw error;
    }
    return mounted;
  }
}

export class MountedCut implements AsyncDisposable {
  readonly #holder: ChildProcess;
  readonly #image: string;
  readonly #path: string;

  constructor(holder: ChildProcess, image: string, path: string) {
    this.#holder = holder;
    this.#image = image;
    this.#path = path;
  }

  /** What goes before a command that shall see it. */
  get enter(): string[] {
    return ['nsenter', `--mount=/proc/${this.#holder.pid}/ns/mnt`, '--'];
  }

  /** Where this process sees it. */
  get root(): string {
    return `/proc/${this.#holder.pid}/root${this.#path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The namespace goes with its last process, and the mount with it.
    const ended = once(this.#holder, 'exit');
    this.#holder.kill('SIGKILL');
    await ended;
    await rm(this.#image);
  }
}
