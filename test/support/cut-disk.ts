/**
 * A disk that loses power: an ext4 file system in an image file. The file system below it can copy the image file
 * atomically. Such a copy has the content of a disk after a power loss. The copy contains all data that the kernel has
 * written to the disk, and no data that was only in memory.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { patience } from '@davit/testkit/waiting';

const run = promisify(execFile);

/** Sizes of the image files. The files are sparse, so they use only the space that is written. */
const DISK_SIZE = '1G';
const HOST_SIZE = '20G';

/** Returns why such a disk is impossible here, or null if it is possible. */
export function whyNoCutDisk(): string | null {
  return process.getuid?.() === 0 ? null : 'mounting disks needs root';
}

export class CutDisk implements AsyncDisposable {
  /** Path at which the disk is mounted. */
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
    // All structures are on the disk before the first cut, because they are not the subject of the test.
    await run('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', join(host, 'disk.img')]);
    await run('mount', ['-o', 'loop', join(host, 'disk.img'), path]);
    return disk;
  }

  /** The file system that contains the image. */
  get host(): string {
    return join(this.#folder, 'host');
  }

  /** Keeps a copy of the present content of the disk. */
  async cut(): Promise<Cut> {
    this.#cuts += 1;
    const image = join(this.host, `cut-${this.#cuts}.img`);
    await run('cp', ['--reflink=always', join(this.host, 'disk.img'), image]);
    return new Cut(image, this.path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Containers that are being removed may use the mount for a moment. A lazy unmount ends when they do.
    await run('umount', ['-l', this.path]);
    await run('umount', ['-l', this.host]);
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Content of the disk at a power loss. */
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

  /** Prefix for a command that must see the mounted copy. */
  get enter(): string[] {
    return ['nsenter', `--mount=/proc/${this.#holder.pid}/ns/mnt`, '--'];
  }

  /** Path under which this process sees the mounted copy. */
  get root(): string {
    return `/proc/${this.#holder.pid}/root${this.#path}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The namespace and its mount end with the last process in the namespace.
    const ended = once(this.#holder, 'exit');
    this.#holder.kill('SIGKILL');
    await ended;
    await rm(this.#image);
  }
}
