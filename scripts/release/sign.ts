/** Signs a file with an OpenPGP key from a file, so that `gpgv` verifies it. Uses Debian's GnuPG. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Writes a detached signature (`<file>.sig`) and the public key.
 * @param key file with a secret key without a passphrase
 * @param publicKey path of the public key, which `gpgv --keyring` reads
 */
export async function signFile(file: string, key: string, publicKey: string): Promise<void> {
  // GnuPG stores keys and runs an agent in its home folder. A temporary folder does not affect the keys of the user.
  const home = await mkdtemp(join(tmpdir(), 'davit-gpg-'));
  const gpg = (args: string[]) => run('gpg', ['--homedir', home, '--batch', '--no-tty', '--quiet', ...args]);
  try {
    await gpg(['--import', key]);
    await gpg(['--yes', '--output', `${file}.sig`, '--detach-sign', file]);
    await gpg(['--yes', '--output', publicKey, '--export']);
  } finally {
    await run('gpgconf', ['--homedir', home, '--kill', 'all']);
    await rm(home, { recursive: true, force: true });
  }
}
