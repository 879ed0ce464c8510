/** Builds a release for tests, and unpacks its archive. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VERSION } from '../../packages/daemon/src/version.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

export interface BuiltRelease extends AsyncDisposable {
  /** Folder with the files of the release. */
  folder: string;
  archive: string;
  /** Folder with the unpacked archive. */
  unpacked: string;
  version: string;
}

/** Builds a release for this machine. @param signing arguments of the build, by default an unsigned release */
export async function buildRelease(signing: string[] = ['--unsigned']): Promise<BuiltRelease> {
  const place = await mkdtemp(join(tmpdir(), 'davit-release-'));
  const dispose = () => rm(place, { recursive: true, force: true });
  try {
    const folder = join(place, 'release');
    const args = ['--out', folder, '--arch', process.arch, ...signing];
    await run(process.execPath, [join(ROOT, 'scripts/release/main.ts'), ...args]);
    const archive = join(folder, `davit-${VERSION}-linux-${process.arch}.tar.gz`);
    const unpacked = join(place, `davit-${VERSION}`);
    await run('tar', ['-xzf', archive, '-C', place, '--no-same-owner']);
    return { folder, archive, unpacked, version: VERSION, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Creates an OpenPGP key without a passphrase and returns the path of the file with the secret key. */
export async function makeSigningKey(folder: string): Promise<string> {
  const home = join(folder, 'gnupg');
  const key = join(folder, 'secret-key.asc');
  await mkdir(home, { mode: 0o700 });
  const gpg = (args: string[]) =>
    run('gpg', ['--homedir', home, '--batch', '--quiet', '--passphrase', '', '--pinentry-mode', 'loopback', ...args]);
  try {
    await gpg(['--quick-generate-key', 'Release test <release@davit.test>', 'ed25519', 'sign', 'never']);
    await gpg(['--armor', '--output', key, '--export-secret-keys']);
    return key;
  } finally {
    await run('gpgconf', ['--homedir', home, '--kill', 'all']);
  }
}

/** Returns the paths of all files below a folder, relative to it. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
