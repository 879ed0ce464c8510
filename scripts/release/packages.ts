/** npm packages of a release that no bundle contains: Node, and packages with machine code or large files. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ReleaseFile } from './archive.ts';
import { type Lock, lockedPackage } from './lock.ts';

const run = promisify(execFile);

export const ARCHITECTURES = ['x64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** Node's package for an architecture. */
export function runtimePackage(arch: Architecture): string {
  return `node-linux-${arch}`;
}

/** Packages that the servers load at run time, with patterns of the files that they need. */
export function loadedPackages(arch: Architecture): Record<string, string[]> {
  return {
    '@scalar/api-reference': ['dist/browser/standalone.js'],
    sharp: ['dist/**/*.{cjs,mjs}'],
    'detect-libc': ['lib/*.js'],
    semver: ['{classes,functions,internal,ranges}/**/*.js', 'index.js', 'preload.js'],
    '@img/colour': ['*.cjs'],
    [`@img/sharp-linux-${arch}`]: ['index.cjs', 'lib/*.node'],
    [`@img/sharp-libvips-linux-${arch}`]: ['lib/*.so*', 'lib/index.js', 'versions.json'],
  };
}

/**
 * Returns the folder of a package in the version of the lock file. npm installs no packages of other architectures, so
 * they come from the registry, and their digest is compared with the lock file.
 */
export async function packageFolder(root: string, lock: Lock, name: string): Promise<string> {
  const installed = join(root, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const { version, integrity = '' } = lockedPackage(lock, `node_modules/${name}`);
  const cache = join(root, '.cache/release');
  const folder = join(cache, `${name.replace('/', '-')}-${version}`);
  if (existsSync(folder)) return join(folder, 'package');
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(join(cache, 'fetch-'));
  try {
    const args = ['pack', `${name}@${version}`, '--json', '--prefer-offline', '--pack-destination', made];
    const [{ filename }] = JSON.parse((await run('npm', args, { cwd: made })).stdout);
    const archive = join(made, filename);
    const digest = createHash('sha512')
      .update(await readFile(archive))
      .digest('base64');
    if (integrity !== `sha512-${digest}`)
      throw new Error(`fetch package: ${name}@${version} differs from package-lock.json`);
    await run('tar', ['-xzf', archive, '-C', made, '--no-same-owner']);
    await rm(archive);
    await rename(made, folder);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return join(folder, 'package');
}

/** Returns the files of a package for `lib/node_modules`. The manifest names no scripts, because npm does not run here. */
export async function filesOfPackage(folder: string, name: string, patterns: string[]): Promise<ReleaseFile[]> {
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const at = `lib/node_modules/${name}`;
  const found = patterns.flatMap((pattern) => {
    const files = globSync(pattern, { cwd: folder });
    if (files.length === 0) throw new Error(`collect files: ${name} has no ${pattern}`);
    return files;
  });
  return [
    { path: `${at}/package.json`, contents: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) },
    ...found.map((file) => ({ path: `${at}/${file}`, contents: { file: join(folder, file) } })),
  ];
}
