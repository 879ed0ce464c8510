/**
 * A package repository in a folder, as a `file:` source of apt. The repository contains real packages of the
 * distribution, and tests add newer versions. The package manager of the machine does not change.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { Apt } from '../../packages/daemon/src/adapters/engine/docker/made/debian-apt.ts';
import { extractClosure } from '../../packages/daemon/src/adapters/engine/docker/made/debian-closure.ts';
import type { DebianImage } from '../../packages/daemon/src/adapters/engine/docker/made/debian-recipe.ts';

const run = promisify(execFile);

export class PackageRepository implements AsyncDisposable {
  readonly #folder: string;

  /**
   * Creates a repository.
   * @param recipes images whose packages the repository contains from the start, in the newest versions of the
   * distribution
   */
  static async create(recipes: readonly DebianImage[] = []): Promise<PackageRepository> {
    const repository = new PackageRepository(await mkdtemp(join(tmpdir(), 'davit-packages-')));
    await mkdir(repository.#packages);
    const apt = new Apt({ folder: join(repository.#folder, 'apt') });
    if (recipes.length > 0) await apt.refresh();
    for (const recipe of recipes) {
      const folder = join(repository.#folder, 'closure');
      await extractClosure(folder, recipe, apt);
      await cp(join(folder, 'packages'), repository.#packages, { recursive: true });
      await rm(folder, { recursive: true });
    }
    await repository.#index();
    await repository.trust(true);
    return repository;
  }

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Path of the `sources.list` file with this repository. */
  get sources(): string {
    return join(this.#folder, 'sources.list');
  }

  get #packages(): string {
    return join(this.#folder, 'packages');
  }

  /** Sets whether the source is trusted without a signature. */
  async trust(isTrusted: boolean): Promise<void> {
    await writeFile(this.sources, `deb ${isTrusted ? '[trusted=yes] ' : ''}file:${this.#packages} ./\n`);
  }

  /** Adds a package with the given files. */
  async add(name: string, version: string, files: Record<string, string> = {}): Promise<void> {
    const root = join(this.#folder, 'root');
    await mkdir(join(root, 'DEBIAN'), { recursive: true });
    const control = { Package: name, Version: version, Architecture: 'all', Maintainer: 'test <test@example.com>' };
    const fields = Object.entries({ ...control, Description: 'test' });
    await writeFile(join(root, 'DEBIAN/control'), fields.map(([field, value]) => `${field}: ${value}\n`).join(''));
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(root, path, '..'), { recursive: true });
      await writeFile(join(root, path), content);
    }
    await this.#build(root);
  }

  /**
   * Publishes an existing package as a newer version.
   * @param replace files of this machine that replace files of the package, by path in the package
   * @returns the new version
   */
  async publishNewer(name: string, replace: Record<string, string> = {}): Promise<string> {
    const file = await this.#newest(name);
    const root = join(this.#folder, 'root');
    await run('dpkg-deb', ['--raw-extract', file, root]);
    const control = await readFile(join(root, 'DEBIAN/control'), 'utf8');
    const version = `${/^Version: (.+)$/m.exec(control)?.[1]}+test1`;
    await writeFile(join(root, 'DEBIAN/control'), control.replace(/^Version: .+$/m, `Version: ${version}`));
    for (const [path, source] of Object.entries(replace)) await cp(source, join(root, path));
    await this.#build(root);
    return version;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #build(root: string): Promise<void> {
    await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', root, this.#packages]);
    await rm(root, { recursive: true });
    await this.#index();
  }

  /** Returns the package file with the longest name, because each newer version extends the previous version. */
  async #newest(name: string): Promise<string> {
    const files = (await readdir(this.#packages)).filter((file) => file.startsWith(`${name}_`));
    const [newest] = files.sort((a, b) => b.length - a.length);
    if (newest === undefined) throw new Error(`the repository has no package ${name}`);
    return join(this.#packages, newest);
  }

  async #index(): Promise<void> {
    const files = (await readdir(this.#packages)).filter((file) => file.endsWith('.deb')).sort();
    const paragraphs = await Promise.all(files.map((file) => paragraphOf(join(this.#packages, file))));
    const index = paragraphs.join('\n');
    await writeFile(join(this.#packages, 'Packages'), index);
    const sum = `${sha256(Buffer.from(index))} ${Buffer.byteLength(index)} Packages`;
    await writeFile(join(this.#packages, 'Release'), `Date: ${new Date().toUTCString()}\nSHA256:\n ${sum}\n`);
  }
}

async function paragraphOf(file: string): Promise<string> {
  const { stdout } = await run('dpkg-deb', ['--field', file]);
  const content = await readFile(file);
  return `${stdout.trimEnd()}\nFilename: ./${basename(file)}\nSize: ${content.length}\nSHA256: ${sha256(content)}\n`;
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
