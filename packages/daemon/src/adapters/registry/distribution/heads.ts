/**
 * Reads the digest and push time of each tag from the registry's files. The registry's HTTP API would need thousands of
 * requests.
 */

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDigest } from '@davit/api';
import type { RegistryHead } from '../registry.ts';
import { demandRepository, isTag } from './names.ts';

/**
 * Returns the tags of a repository, sorted by push time, newest last.
 * @param storage folder on the server with the registry's data
 * @param since minimum push time in milliseconds since the epoch; 0 returns all tags. With another value, the result
 * can omit a tag whose last push only moved the tag to an existing image
 */
export async function readHeads(storage: string, repository: string, since: number): Promise<RegistryHead[]> {
  const manifests = join(storage, 'docker/registry/v2/repositories', demandRepository(repository), '_manifests');
  const folder = join(manifests, 'tags');
  if (since > 0 && !(await hasChanged([folder, join(manifests, 'revisions/sha256')], since))) return [];
  const heads: RegistryHead[] = [];
  for (const tag of (await unlessMissing(readdir(folder))) ?? []) {
    if (!isTag(tag)) continue;
    const link = join(folder, tag, 'current/link');
    const pushedAt = (await unlessMissing(stat(link)))?.mtimeMs;
    if (pushedAt === undefined || pushedAt < since) continue;
    const digest = (await unlessMissing(readFile(link, 'utf8')))?.trim() ?? '';
    /*
     * Skips a tag if its file is incomplete, because the registry is still writing the file. The next read returns the
     * tag.
     */
    if (isDigest(digest)) heads.push({ tag, digest, pushedAt });
  }
  return heads.sort((a, b) => a.pushedAt - b.pushedAt);
}

/**
 * Returns whether a file or subfolder was added to one of the folders at the given time or later.
 * @param since time in milliseconds since the epoch
 */
async function hasChanged(folders: string[], since: number): Promise<boolean> {
  for (const folder of folders) if (((await unlessMissing(stat(folder)))?.mtimeMs ?? 0) >= since) return true;
  return false;
}

/** Returns the result of reading a file or folder. Returns `null` if the file or folder does not exist. */
async function unlessMissing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
