/**
 * Runs apt with a separate state folder, so that the server's own apt state does not change. Apt uses the server's
 * package sources and keyrings, and always verifies signatures.
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PlatformImageFailed } from '../../platform-images.ts';

const run = promisify(execFile);

export interface AptOptions {
  /**
   * Folder for apt's package lists, cache and locks. Davit creates the folder if it does not exist. An admin can delete
   * the folder at any time.
   */
  folder: string;
  /**
   * Path of a `sources.list` file that replaces the server's package sources. `null` means that apt uses the server's
   * package sources.
   */
  sources?: string | null;
}

/**
 * Folder with the package lists of the server's own apt. Davit starts with a copy of these lists, so that apt downloads
 * only changed lists.
 */
const HOST_LISTS = '/var/lib/apt/lists';

/**
 * Configuration that apt reads last. The configuration disables the server's update hooks, because the hooks are only
 * for the server's own package lists.
 */
const CONFIGURATION = `#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
`;

/**
 * Apt settings that reject repositories without a valid signature. The only exception is a package source with the
 * option `trusted=yes`.
 */
const STRICT = [
  ...['APT::Get::AllowUnauthenticated=false', 'Acquire::AllowInsecureRepositories=false'],
  ...['Acquire::AllowDowngradeToInsecureRepositories=false', 'Acquire::AllowWeakRepositories=false'],
];

/**
 * Apt settings with short timeouts. Without network access, apt fails within seconds, and Davit uses the existing
 * package lists.
 */
const PATIENCE = ['Acquire::http::Timeout=20', 'Acquire::https::Timeout=20', 'Acquire::Retries=1'];

const TIMEOUT_MS = 10 * 60_000;
const LOCK_ATTEMPTS = 60;
const OLD_MS = 60 * 60_000;
const OUTPUT_BYTES = 16 * 1024 * 1024;
/**
 * Minimum free disk space in bytes for package lists, packages and one image. The check prevents a build that fails
 * halfway.
 */
const NEEDED_BYTES = 512 * 1024 * 1024;

export class Apt {
  readonly #folder: string;
  readonly #sources: string | null;
  /**
   * Promise of the last queued apt command. Commands run one at a time, because a download of package lists replaces
   * files that other commands read.
   */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ folder, sources = null }: AptOptions) {
    this.#folder = folder;
    this.#sources = sources;
  }

  /**
   * Returns the time of the last download of the package lists, in milliseconds since the epoch. Returns `null` if the
   * lists were never downloaded.
   */
  async refreshedAt(): Promise<number | null> {
    return stat(this.#stamp).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
  }

  /**
   * Downloads the current package lists. If the download fails, the existing package lists stay.
   * @throws PlatformImageFailed
   */
  refresh(signal?: AbortSignal): Promise<void> {
    return this.#serially(async () => {
      try {
        await this.#prepare();
        await this.#demandRoom();
        await this.#update(signal);
        await writeFile(this.#stamp, '');
      } catch (cause) {
        throw failure(cause, signal, 'repository_unavailable', 'download package lists');
      }
    });
  }

  /**
   * Returns the versions that apt would install, by package name. The result omits unknown packages.
   * @throws PlatformImageFailed
   */
  candidates(names: readonly string[], signal?: AbortSignal): Promise<Map<string, string>> {
    return this.#serially(async () => {
      await this.#prepare();
      const args = ['show', '--no-all-versions', ...names];
      try {
        const { stdout } = await this.#run('apt-cache', args, { signal });
        return parseVersions(stdout);
      } catch (cause) {
        // `apt-cache show` fails only if all packages are missing in the package lists.
        if (isExit(cause)) return parseVersions(String((cause as { stdout?: unknown }).stdout ?? ''));
        throw failure(cause, signal, 'packages_unavailable', 'read package lists');
      }
    });
  }

  /**
   * Downloads Debian packages into a folder, in the versions of the package lists.
   * @throws the error of the apt command
   */
  download(names: readonly string[], to: string, signal?: AbortSignal): Promise<void> {
    return this.#serially(async () => {
      await this.#prepare();
      await this.#run('apt-get', ['--quiet', 'download', ...names], { cwd: to, signal });
    });
  }

  /** Returns whether a Debian package version is newer than another version, according to Debian's version order. */
  async isNewer(version: string, than: string): Promise<boolean> {
    if (version === than) return false;
    return run('dpkg', ['--compare-versions', version, 'gt', than]).then(
      () => true,
      (cause: unknown) => {
        if (isExit(cause)) return false;
        throw failure(cause, undefined, 'packages_unavailable', 'compare versions');
      },
    );
  }

  get #stamp(): string {
    return join(this.#folder, 'refreshed');
  }

  async #update(signal?: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#run('apt-get', ['--quiet', '--error-on=any', 'update'], { signal });
        return;
      } catch (cause) {
        /*
         * Another apt process may have locked the folder. Apt has no exit code for this error, so Davit checks the
         * error text.
         */
        if (attempt === LOCK_ATTEMPTS || !/Could not get lock/.test(stderrOf(cause))) throw cause;
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }

  #run(program: string, args: string[], { cwd, signal }: { cwd?: string; signal?: AbortSignal | undefined }) {
    const options = { cwd, timeout: TIMEOUT_MS, maxBuffer: OUTPUT_BYTES, ...(signal && { signal }) };
    return run(program, [...this.#settings(), ...args], options);
  }

  #settings(): string[] {
    const folder = this.#folder;
    const settings = [
      ...[`Dir::State=${folder}`, `Dir::State::lists=${join(folder, 'lists')}`],
      /*
       * Apt selects the newest version of a package. For this selection, apt must ignore the packages that are
       * installed on the server.
       */
      `Dir::State::status=${join(folder, 'status')}`,
      ...[`Dir::Cache=${join(folder, 'cache')}`, `Dir::Log=${join(folder, 'log')}`],
      // Apt downloads as root, because apt's unprivileged user may not write to Davit's data directory.
      'APT::Sandbox::User=root',
      ...STRICT,
      ...PATIENCE,
      ...(this.#sources === null ? [] : [`Dir::Etc::sourcelist=${this.#sources}`, 'Dir::Etc::sourceparts=/dev/null']),
    ];
    return ['-c', join(folder, 'apt.conf'), ...settings.flatMap((setting) => ['-o', setting])];
  }

  /**
   * Creates apt's state folder. The folder with the package lists is renamed last. If this folder exists, the state
   * folder is complete.
   */
  async #prepare(): Promise<void> {
    const lists = join(this.#folder, 'lists');
    if (await exists(lists)) return;
    await mkdir(join(this.#folder, 'cache'), { recursive: true });
    await mkdir(join(this.#folder, 'log'), { recursive: true });
    await writeFile(join(this.#folder, 'status'), '');
    await writeFile(join(this.#folder, 'apt.conf'), CONFIGURATION);
    const draft = await mkdtemp(join(this.#folder, 'draft-'));
    await mkdir(join(draft, 'partial'));
    if (this.#sources === null) await copyLists(draft);
    await rename(draft, lists).catch((error: NodeJS.ErrnoException) => {
      /*
       * If another process has already created the folder `lists`, the rename fails, and Davit uses the existing
       * folder.
       */
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    await rm(draft, { recursive: true, force: true });
    await removeOldDrafts(this.#folder);
  }

  async #demandRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize >= NEEDED_BYTES) return;
    throw new PlatformImageFailed('disk_full', `Less than ${NEEDED_BYTES} bytes are free in ${this.#folder}.`);
  }

  #serially<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!name.startsWith('draft-')) continue;
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > OLD_MS) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Copies the server's package lists. Skips files that apt replaces during the copy. The next refresh downloads the
 * skipped files.
 */
async function copyLists(to: string): Promise<void> {
  const entries = await readdir(HOST_LISTS, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile() || entry.name === 'lock') continue;
    await copyFile(join(HOST_LISTS, entry.name), join(to, entry.name), constants.COPYFILE_FICLONE).catch(
      () => undefined,
    );
  }
}

/**
 * Parses the output of `apt-cache show` to a map from package name to version. The first paragraph of each package
 * contains the version that apt would install.
 */
function parseVersions(text: string): Map<string, string> {
  const versions = new Map<string, string>();
  for (const paragraph of text.split(/\n\n+/)) {
    const name = /^Package: (.+)$/m.exec(paragraph)?.[1];
    const version = /^Version: (.+)$/m.exec(paragraph)?.[1];
    if (name !== undefined && version !== undefined && !versions.has(name)) versions.set(name, version);
  }
  return versions;
}

function failure(
  cause: unknown,
  signal: AbortSignal | undefined,
  code: 'repository_unavailable' | 'packages_unavailable',
  doing: string,
): unknown {
  if (signal?.aborted) return signal.reason;
  if (cause instanceof PlatformImageFailed) return cause;
  if (isProgramMissing(cause))
    return new PlatformImageFailed('no_package_manager', `${doing}: apt is not installed on this server`, { cause });
  if ((cause as { code?: unknown }).code === 'ENOSPC') return new PlatformImageFailed('disk_full', doing, { cause });
  return new PlatformImageFailed(code, `${doing}: ${stderrOf(cause).trim()}`, { cause });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Returns whether an error means that a command ran and exited with a code other than 0. */
function isExit(cause: unknown): boolean {
  return typeof (cause as { code?: unknown }).code === 'number';
}

/** Returns whether an error means that a command does not exist on this server. */
export function isProgramMissing(cause: unknown): boolean {
  const { code, syscall } = cause as { code?: unknown; syscall?: unknown };
  return code === 'ENOENT' && String(syscall).startsWith('spawn');
}

export function stderrOf(cause: unknown): string {
  return String((cause as { stderr?: unknown }).stderr ?? '');
}
