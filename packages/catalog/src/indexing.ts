import type { Logger } from '@davit/service';
import type { CatalogConfig } from './config/config.ts';
import { databaseFile } from './files.ts';
import { startIndexerProcess } from './indexer/process.ts';

/** Indexing of a data directory until it is disposed. */
export interface Indexing extends AsyncDisposable {
  /** Returns the number of passes that ended. */
  passes(): number;
  /** Returns the reason why this process does not index, or `null` if it does. */
  refusal(): string | null;
}

/**
 * Pauses in milliseconds before a retry after a refusal. The pause grows from `first` to `longest`. The indexer of a
 * killed server needs seconds to end. If several servers share a directory, another one takes over when the current
 * indexer is gone.
 */
const AGAIN_MS = { first: 2_000, longest: 60_000 };

/** Runs an indexer besides the server. */
export function startIndexing(config: CatalogConfig, log: Logger): Indexing {
  let passes = 0;
  let refusal: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = AGAIN_MS.first;
  const start = () =>
    startIndexerProcess({
      config,
      database: databaseFile(config.dataDir),
      log,
      onPass() {
        passes += 1;
        refusal = null;
        pauseMs = AGAIN_MS.first;
      },
      onRefused(reason) {
        // Each reason is logged once, because a server that only reads may run for years.
        if (refusal !== reason) log.warn({ reason }, 'indexer cannot run, and is started again later');
        refusal = reason;
        timer = setTimeout(again, pauseMs);
        pauseMs = Math.min(2 * pauseMs, AGAIN_MS.longest);
      },
    });
  let indexer = start();
  const again = () => {
    const ended = indexer;
    indexer = start();
    void ended[Symbol.asyncDispose]();
  };
  return {
    passes: () => passes,
    refusal: () => refusal,
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await indexer[Symbol.asyncDispose]();
    },
  };
}
