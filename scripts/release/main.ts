/** `npm run release`: builds the archives of a release, their checksums, bills of materials and signature. */
import { hash } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { VERSION } from '../../packages/daemon/src/version.ts';
import { writeArchive } from './archive.ts';
import { buildCommon, collectFiles } from './layout.ts';
import { readLock } from './lock.ts';
import { type ReleaseOptions, readOptions } from './options.ts';
import { signFile } from './sign.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const INSTALLER = 'install.sh';
const CHECKSUMS = 'SHA256SUMS';
const PUBLIC_KEY = 'davit-release.gpg';

async function release({ out, architectures, key }: ReleaseOptions): Promise<void> {
  await mkdir(out, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), 'davit-release-'));
  const names = [INSTALLER];
  try {
    await copyFile(join(ROOT, 'packaging', INSTALLER), join(out, INSTALLER));
    await chmod(join(out, INSTALLER), 0o755);
    const common = await buildCommon(ROOT, VERSION, await readLock(ROOT), join(scratch, 'cli'));
    for (const arch of architectures) {
      const { files, sbom } = await collectFiles(common, arch);
      const name = `davit-${VERSION}-linux-${arch}`;
      await writeArchive(files, `davit-${VERSION}`, join(out, `${name}.tar.gz`));
      await writeFile(join(out, `${name}.cdx.json`), sbom);
      names.push(`${name}.tar.gz`, `${name}.cdx.json`);
      const { size } = await stat(join(out, `${name}.tar.gz`));
      console.log(`✓ ${name}.tar.gz  ${(size / 2 ** 20).toFixed(1)} MiB, ${files.length} files`);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  await writeFile(join(out, CHECKSUMS), await checksums(out, names));
  if (key === null) {
    console.log('! The release is not signed. Use it only for tests.');
    return;
  }
  await signFile(join(out, CHECKSUMS), key, join(out, PUBLIC_KEY));
  console.log(`✓ ${CHECKSUMS}.sig  verify it: gpgv --keyring ./${PUBLIC_KEY} ${CHECKSUMS}.sig ${CHECKSUMS}`);
}

/** Returns the digests of files in the format of `sha256sum`. */
async function checksums(folder: string, names: readonly string[]): Promise<string> {
  const lines = names
    .toSorted()
    .map(async (name) => `${hash('sha256', await readFile(join(folder, name)))}  ${name}\n`);
  return (await Promise.all(lines)).join('');
}

const options = readOptions(process.argv.slice(2));
if ('problem' in options) {
  console.error(options.problem);
  process.exitCode = 2;
} else {
  await release(options);
}
