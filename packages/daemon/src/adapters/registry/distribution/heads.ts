/**
 * Reads the digest and push time of each tag from the registry's files. The registry's API would need thousands of
 * requests for the same result.
 */

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDigest } from '@davit/api';
import type { RegistryHead } from '../registry.ts';
import { demandRepository, isTag } from './names.ts';

/**
 * Returns the tags of a repository in order of their push time, the latest last.
 * @param storage the registry's folder, as this process sees it
 * @param since earliest push time in milliseconds since the epoch. A push that added neither a tag nor an image is not
 * found. 0 returns all tags
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
    // The digest of a tag that is being written is incomplete. The next read finds it.
    if (isDigest(digest)) heads.push({ tag, digest, pushedAt });
  }
  return heads.sort((a, b) => a.pushedAt - b.pushedAt);
}

/** Returns whether an entry was added to one of these folders at or after a time. */
async function hasChanged(folders: string[], since: number): Promise<boolean> {
  for (const folder of folders) if (((await unlessMissing(stat(folder)))?.mtimeMs ?? 0) >= since) return true;
  return false;
}

/** Returns the result of a read, or `null` if the file does not exist any more. */
async function unlessMissing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
