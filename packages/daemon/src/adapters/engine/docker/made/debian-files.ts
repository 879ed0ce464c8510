/** Copies files from unpacked Debian packages into the folder of an image. */
import { copyFile, mkdir, open, readdir, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DebianImage } from './debian-recipe.ts';

/** A file of an image. The file comes from a folder of a Debian package that is copied completely. */
export interface WholeFile {
  path: string;
  isLink: boolean;
  /** Whether the file is an ELF file. ELF files can need shared libraries. */
  isProgram: boolean;
}

export interface ImageFiles {
  /**
   * Files to copy into the image. The map's key is the path in the image. The value is the path of the source file on
   * this server.
   */
  copies: Map<string, string>;
  whole: WholeFile[];
  files: Record<string, string>;
  links: Record<string, string>;
}

/**
 * Returns all files of the folders that `folders` in an image definition lists.
 * @throws Error if the unpacked Debian packages do not contain a folder
 */
export async function filesIn(
  root: string,
  { folders = [], without = [] }: Pick<DebianImage, 'folders' | 'without'>,
): Promise<WholeFile[]> {
  const found: WholeFile[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name).slice(root.length);
      if (entry.isDirectory() || without.some((part) => path.includes(part))) continue;
      const isLink = entry.isSymbolicLink();
      found.push({ path, isLink, isProgram: !isLink && (await isElf(join(root, path))) });
    }
  }
  return found;
}

const ELF = Buffer.from('\x7fELF', 'latin1');

async function isElf(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(ELF.length), 0, ELF.length, 0);
  return bytesRead === ELF.length && buffer.equals(ELF);
}

export async function writeImage(image: string, root: string, parts: ImageFiles): Promise<void> {
  await mkdir(join(image, 'tmp'), { recursive: true });
  for (const [path, source] of parts.copies) await copyFile(source, await prepareTarget(image, path));
  for (const { path, isLink } of parts.whole) {
    const [source, target] = [join(root, path), await prepareTarget(image, path)];
    // Skips the programs and shared libraries in `parts.copies`, because they have already been copied.
    if (isLink) await symlink(await readlink(source), target);
    else if (!parts.copies.has(path)) await copyFile(source, target);
  }
  for (const [path, content] of Object.entries(parts.files)) {
    await writeFile(await prepareTarget(image, path), content, { mode: 0o644 });
  }
  for (const [path, target] of Object.entries(parts.links)) await symlink(target, await prepareTarget(image, path));
}

async function prepareTarget(image: string, path: string): Promise<string> {
  const target = join(image, path);
  await mkdir(dirname(target), { recursive: true });
  return target;
}
