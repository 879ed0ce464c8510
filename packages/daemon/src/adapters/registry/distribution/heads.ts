/** What each tag names and since when, from the registry's own files: thousands of questions less than by its API. */

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDigest } from '@davit/api';
import type { RegistryHead } from '../registry.ts';
import { demandRepository, isTag } from './names.ts';

/**
 * The tags of a repository, the one that was pushed last at the end.
 * @param storage the registry's folder, as this process sees it
 * @param since only what was pushed then or later, in milliseconds since the epoch; what neither brought a tag nor an
 * image is not looked for. 0: all of them
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
    // One that is being written has no whole digest yet; the next look finds it.
    if (isDigest(digest)) heads.push({ tag, digest, pushedAt });
  }
  return heads.sort((a, b) => a.pushedAt - b.pushedAt);
}

/** Whether something was put into one of these folders then or later. */
async function hasChanged(folders: string[], since: number): Promise<boolean> {
  for (const folder of folders) if (((await unlessMissing(stat(folder)))?.mtimeMs ?? 0) >= since) return true;
  return false;
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
