import type { Logger } from '@davit/service';
import type { CatalogConfig } from './config/config.ts';
import { databaseFile } from './files.ts';
import { startIndexerProcess } from './indexer/process.ts';

/** Running indexer of a data directory. Disposing this object stops the indexer. */
export interface Indexing extends AsyncDisposable {
  passes(): number;
  /** Returns the reason why the indexer cannot run. Returns `null` if the indexer can run. */
  refusal(): string | null;
}

/**
 * Pause in milliseconds before the indexer is started again. This is necessary because the indexer of a killed catalog
 * server may still use the data directory.
 */
const AGAIN_MS = { first: 2_000, longest: 60_000 };

/** Starts the indexer of a catalog server in a child process. If the indexer cannot run, starts it again later. */
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
        /*
         * While another indexer runs, every attempt to start this indexer fails. Therefore, the reason is logged only
         * once.
         */
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
