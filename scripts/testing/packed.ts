/**
 * Installs a command of this project like a user: packed, in an empty folder, with the oldest supported Node that is
 * available.
 */
import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGES = join(import.meta.dirname, '../../packages');

export interface Installed extends AsyncDisposable {
  /** Folder of the installation. */
  folder: string;
  /** Content of its `package.json`. */
  manifest: { name: string; version: string };
  /** Path of the installed command. */
  command: string;
  /** Names of the files in the package. */
  files: string[];
}

/**
 * Packs a package and installs it into an empty folder.
 * @param packageName name of its folder in `packages/`
 * @param commandName name of its bin
 */
export async function installPacked(packageName: string, commandName: string): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-packed-'));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(PACKAGES, packageName),
    });
    // The output of the build comes before the JSON.
    const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.search(/^\[/m)));
    await writeFile(join(folder, 'package.json'), '{"name": "empty", "private": true}\n');
    const args = ['install', '--no-audit', '--no-fund', '--offline', join(folder, filename)];
    await run('npm', args, { cwd: folder });
    const command = join(folder, 'node_modules/.bin', commandName);
    const manifest = JSON.parse(await readFile(join(PACKAGES, packageName, 'package.json'), 'utf8'));
    const paths = files.map(({ path }: { path: string }) => path);
    return { folder, manifest, command, files: paths, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Returns the oldest available Node: the Node of the machine, besides the project's own. */
export async function oldestNode(): Promise<string> {
  const own = [process.env.npm_node_execpath, ...folders().map((folder) => join(folder, 'node'))];
  for (const file of own) {
    if (file === undefined || file.includes('node_modules')) continue;
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return process.execPath;
}

function folders(): string[] {
  return (process.env.PATH ?? '').split(delimiter);
}
