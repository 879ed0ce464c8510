/** What is removed from the registry's files while it takes no pushes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../engine/docker/context.ts';
import type { CollectionAsk, ImageRegistry, RepositoryTag } from '../registry.ts';
import { collected, findGarbage, removeGarbage } from './garbage.ts';
import { demandRepository, demandTag } from './names.ts';
import { ReadOnlyWindow } from './read-only.ts';
import type { RegistryStorage } from './storage.ts';

/** The part of an {@link ImageRegistry} that removes what was pushed. */
export interface RegistryContents
  extends Pick<ImageRegistry, 'untag' | 'removeRepositories' | 'preview' | 'collect' | 'bytesOnDisk' | 'bytesOf'> {
  /** No new push shall begin: a time in which none is taken has begun, or is about to. */
  readonly isClosed: boolean;
}

export interface ContentsOptions {
  storage: RegistryStorage;
  /** Makes the registry take pushes or none; resolves when it does so and every request of before has ended. */
  replace: (to: { readOnly: boolean }) => Promise<unknown>;
  log: Log;
  /** Milliseconds since the epoch, by the clock of the files. */
  now?: () => number;
  /** How long pushes that have begun are waited for; absent: 30 s. */
  quietMs?: number;
}

/** An upload of which nothing arrived for so long is one that nobody goes on with now. */
const UPLOAD_STALLED_MS = 15_000;
/** A push that takes longer is cut: its client is told, and what it uploaded so far stays. */
const QUIET_MS = 30_000;
const QUIET_LOOK_MS = 100;
/** Between two layers of a push, and from the last of them to its manifest, less than this passes. */
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
    preview: async (ask: CollectionAsk) => collected(await findGarbage(storage, ask, now())),
    collect: (ask: () => CollectionAsk) =>
      window.run(async () => removeGarbage(storage, await findGarbage(storage, ask(), now()))),
    bytesOnDisk: () => storage.bytes(),
    bytesOf: (repositories: readonly string[]) => storage.bytesOf(repositories),
  };
}

/** Lets pushes end that have begun: those that have not are told to wait. */
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
