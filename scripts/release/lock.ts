import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A package in `package-lock.json`. */
export interface LockedPackage {
  version: string;
  /** Digest of its archive in the registry, in the form `sha512-<base64>`. */
  integrity?: string;
  license?: string;
}

/** Packages of `package-lock.json` by their folder, relative to the repository. */
export type Lock = ReadonlyMap<string, LockedPackage>;

export async function readLock(root: string): Promise<Lock> {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  return new Map(Object.entries(packages as Record<string, LockedPackage>));
}

/** Returns a package of the lock file. @throws Error if the lock file does not contain the folder */
export function lockedPackage(lock: Lock, folder: string): LockedPackage {
  const found = lock.get(folder);
  if (found === undefined) throw new Error(`read package-lock.json: it does not contain ${folder}`);
  return found;
}
