/** Debian packages, downloaded by apt and unpacked in a folder; nothing is installed. */
import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Packages downloaded and unpacked over each other, and what they depend on. */
export class PackageFolder {
  readonly root: string;
  readonly #downloads: string;
  readonly #names = new Set<string>();
  readonly #notNeeded: readonly string[];
  #dependencies = new Set<string>();

  /** @param notNeeded packages that are left out, whatever depends on them */
  constructor(folder: string, notNeeded: readonly string[] = []) {
    this.#notNeeded = notNeeded;
    this.root = join(folder, 'root');
    this.#downloads = join(folder, 'packages');
  }

  async add(names: string[]): Promise<void> {
    await mkdir(this.root, { recursive: true });
    await mkdir(this.#downloads, { recursive: true });
    const before = new Set(await readdir(this.#downloads));
    await download(names, this.#downloads);
    this.#dependencies = new Set();
    for (const file of await readdir(this.#downloads)) {
      if (!file.endsWith('.deb') || before.has(file)) continue;
      const path = join(this.#downloads, file);
      await run('dpkg-deb', ['--extract', path, this.root]);
      const { stdout } = await run('dpkg-deb', ['--field', path, 'Pre-Depends', 'Depends']);
      for (const name of libraryPackages(stdout)) this.#dependencies.add(name);
    }
    for (const name of names) this.#names.add(name);
  }

  /** Adds the libraries that the packages added last depend on; false when there are no new ones. */
  async addDependencies(): Promise<boolean> {
    const names = [...this.#dependencies]
      .filter((name) => !this.#names.has(name) && !this.#notNeeded.includes(name))
      .sort();
    if (names.length > 0) await this.add(names);
    return names.length > 0;
  }
}

/** The library packages in `dpkg-deb --field` output; of alternatives the first. Policy has their names begin with `lib`. */
export function libraryPackages(fields: string): string[] {
  const names = fields
    .split('\n')
    .flatMap((line) => line.replace(/^(Pre-)?Depends:/, '').split(','))
    .map((dependency) => /^\s*(lib[a-z0-9+.-]+)/.exec(dependency)?.[1])
    .filter((name) => name !== undefined);
  return [...new Set(names)];
}

/** A machine that never ran apt has no lists, and one that ran it long ago asks for versions that are gone. */
async function download(names: string[], folder: string): Promise<void> {
  // The unprivileged user that apt downloads as cannot write to a private folder.
  const args = ['-o', 'APT::Sandbox::User=root', '-o', 'DPkg::Lock::Timeout=60', '--quiet', 'download', ...names];
  try {
    await run('apt-get', args, { cwd: folder });
  } catch (cause) {
    if (isMissing(cause)) throw cause;
    await updateLists();
    await run('apt-get', args, { cwd: folder });
  }
}

const UPDATE_ATTEMPTS = 30;

/** Another daemon on this machine may be doing the same: its lock is waited for. */
async function updateLists(): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run('apt-get', ['--quiet', '--error-on=any', 'update']);
      return;
    } catch (cause) {
      if (attempt === UPDATE_ATTEMPTS || !stderrOf(cause).includes('Could not get lock')) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** Whether a program is not on this machine. */
export function isMissing(cause: unknown): boolean {
  const { code, syscall } = cause as { code?: unknown; syscall?: unknown };
  return code === 'ENOENT' && String(syscall).startsWith('spawn');
}

/** What a program that failed wrote. */
export function stderrOf(cause: unknown): string {
  return String((cause as { stderr?: unknown }).stderr ?? '');
}
