/** npm packages whose code is in a bundle, and their licenses. */
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const LICENSE_FILES = '{LICENSE,LICENCE,license}*';
const RULE = '-'.repeat(80);

/** Returns the absolute folders of the npm packages that own files of a bundle, without duplicates. */
export function packageFolders(files: readonly string[]): string[] {
  return [
    ...new Set(files.flatMap((file) => /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [])),
  ].sort();
}

/** Returns the name of a package by its folder. */
export function packageName(folder: string): string {
  return folder.replace(/^.*node_modules\//, '');
}

/**
 * Returns the licenses of packages as one text, as the licenses require. A package without a license file states its
 * license only in `package.json`.
 * @param own the license of Davit
 * @throws Error if a package states no license
 */
export async function licensesOf(folders: readonly string[], own: string): Promise<string> {
  const others = folders.map(async (folder) => `${packageName(folder)}\n\n${await licenseOf(folder)}`);
  return [`davit\n\n${own}`, ...(await Promise.all(others))].join(`\n${RULE}\n\n`);
}

async function licenseOf(folder: string): Promise<string> {
  const [file] = globSync(LICENSE_FILES, { cwd: folder }).sort();
  if (file !== undefined) return readFile(join(folder, file), 'utf8');
  const manifest = join(folder, 'package.json');
  const { license } = existsSync(manifest) ? JSON.parse(await readFile(manifest, 'utf8')) : {};
  if (typeof license !== 'string') throw new Error(`read license: ${folder} states no license`);
  return `License: ${license}\n`;
}
