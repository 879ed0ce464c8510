/** What each tag names and since when, from the registry's own files: thousands of questions less than by its API. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegistryHead } from '../registry.ts';
import { demandRepository, isDigest, isTag } from './names.ts';

/**
 * The tags of a repository, the one that was pushed last at the end.
 * @param storage the registry's folder, as this process sees it
 * @param after only what was pushed later, in milliseconds since the epoch
 */
export async function readHeads(storage: string, repository: string, after: number): Promise<RegistryHead[]> {
  const folder = join(storage, 'docker/registry/v2/repositories', demandRepository(repository), '_manifests/tags');
  const heads: RegistryHead[] = [];
  for (const tag of (await unlessMissing(readdir(folder))) ?? []) {
    if (!isTag(tag)) continue;
    const link = join(folder, tag, 'current/link');
    const pushedAt = (await unlessMissing(stat(link)))?.mtimeMs;
    if (pushedAt === undefined || pushedAt <= after) continue;
    const digest = (await unlessMissing(readFile(link, 'utf8')))?.trim() ?? '';
    // One that is being written has no whole digest yet; the next look finds it.
    if (isDigest(digest)) heads.push({ tag, digest, pushedAt });
  }
  return heads.sort((a, b) => a.pushedAt - b.pushedAt);
}

/** Null for what is not there, or is gone by now. */
async function unlessMissing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
