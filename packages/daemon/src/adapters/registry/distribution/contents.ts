/** Removes data from the registry's storage while the registry rejects pushes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../engine/docker/context.ts';
import type { CollectionRequest, ImageRegistry, RepositoryTag } from '../registry.ts';
import { collected, findGarbage, removeGarbage } from './garbage.ts';
import { demandRepository, demandTag } from './names.ts';
import { ReadOnlyWindow } from './read-only.ts';
import type { RegistryStorage } from './storage.ts';

/** Methods of the `ImageRegistry` interface that remove pushed data or measure its size. */
export interface RegistryContents
  extends Pick<ImageRegistry, 'untag' | 'removeRepositories' | 'preview' | 'collect' | 'bytesOnDisk' | 'bytesOf'> {
  /** `true` if clients must not start new pushes, because the registry rejects pushes now or will reject them soon. */
  readonly isClosed: boolean;
}

export interface ContentsOptions {
  storage: RegistryStorage;
  /**
   * Makes the registry accept or reject pushes. Resolves when the change is active and all earlier requests have ended.
   */
  replace: (to: { readOnly: boolean }) => Promise<unknown>;
  log: Log;
  /**
   * Returns the current time in milliseconds since the epoch. The age of the registry's files is calculated from this
   * time.
   */
  now?: () => number;
  /**
   * Maximum time in milliseconds to wait until running pushes end. After this time, the registry rejects all pushes.
   * Default: 30 seconds.
   */
  quietMs?: number;
}

/** Time in milliseconds without new data after which an upload is treated as interrupted. */
const UPLOAD_STALLED_MS = 15_000;
/**
 * Default maximum time in milliseconds to wait for running pushes. After this time, the registry rejects all pushes.
 * Running pushes then fail, but their uploaded data is kept.
 */
const QUIET_MS = 30_000;
const QUIET_LOOK_MS = 100;
/**
 * Time in milliseconds without an upload after which Davit assumes that no push is running. The pause between two
 * uploads of one push is always shorter.
 */
const SETTLED_MS = 1_000;

export function registryContents(options: ContentsOptions): RegistryContents {
  const { storage, replace, log, now = Date.now, quietMs = QUIET_MS } = options;
  const window = new ReadOnlyWindow({ replace, quiet: () => untilQuiet(storage, now, quietMs), log });
  return {
    get isClosed() {
      return window.isClosed;
    },
    async untag({ repository, tag }: RepositoryTag, digest: string) {
      demandTag(tag);
      demandRepository(repository);
      return window.run(async () => {
        const named = (await storage.tags(repository)).get(tag);
        if (named !== undefined && named !== digest) return false;
        await storage.removeTag(repository, tag);
        return true;
      });
    },
    async removeRepositories(repositories: readonly string[]) {
      for (const repository of repositories) demandRepository(repository);
      if (repositories.length === 0) return;
      await window.run(async () => {
        for (const repository of repositories) await storage.removeRepository(repository);
      });
    },
    preview: async (request: CollectionRequest) => collected(await findGarbage(storage, request, now())),
    collect: (readRequest: () => CollectionRequest) =>
      window.run(async () => removeGarbage(storage, await findGarbage(storage, readRequest(), now()))),
    bytesOnDisk: () => storage.bytes(),
    bytesOf: (repositories: readonly string[]) => storage.bytesOf(repositories),
  };
}

/**
 * Waits until all running pushes have ended, but at most `quietMs` milliseconds. During this wait, new pushes are
 * already rejected.
 */
async function untilQuiet(storage: RegistryStorage, now: () => number, quietMs: number): Promise<void> {
  const began = now();
  for (let quietSince = began; now() < began + quietMs && now() < quietSince + SETTLED_MS; ) {
    await delay(QUIET_LOOK_MS);
    if (await isUploading(storage, now())) quietSince = now();
  }
}

async function isUploading(storage: RegistryStorage, at: number): Promise<boolean> {
  for (const repository of await storage.repositories()) {
    const uploads = await storage.uploads(repository);
    if (uploads.some(({ touchedAt }) => touchedAt > at - UPLOAD_STALLED_MS)) return true;
  }
  return false;
}
