import type { Logger } from '@davit/service';
import type { CatalogConfig } from './config/config.ts';
import { databaseFile } from './files.ts';
import { startIndexerProcess } from './indexer/process.ts';

/** The indexing of a data directory, as long as it is not disposed. */
export interface Indexing extends AsyncDisposable {
  /** How many passes ended. */
  passes(): number;
  /** Why nothing is indexed here; null: it is. */
  refusal(): string | null;
}

/**
 * How long after a refusal it is tried again, in milliseconds, ever later: the indexer of a server that was killed needs
 * seconds to end, and of several servers on one directory another takes over when the one that indexes has gone.
 */
const AGAIN_MS = { first: 2_000, longest: 60_000 };

/** Keeps an indexer at work, beside whatever serves its index. */
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
        // Once: a server that only reads may do so for years.
        if (refusal !== reason) log.warn({ reason }, 'nothing is indexed here; it is tried again now and then');
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
