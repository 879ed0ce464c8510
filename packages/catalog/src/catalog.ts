import { mkdirSync } from 'node:fs';
import { createLogger, type Logger } from '@davit/service';
import type { CatalogConfig } from './config/config.ts';
import { databaseFile } from './files.ts';
import { startHttp } from './http/server.ts';
import { ThreadValidator } from './http/validator.ts';
import { type Indexing, startIndexing } from './indexing.ts';
import { createPages } from './pages/pages.ts';
import { explainStart } from './start-failure.ts';
import { openReader } from './store/reader.ts';
import type { CatalogReader } from './store/types.ts';

export interface Catalog extends AsyncDisposable {
  /** URL of the catalog server, such as `http://127.0.0.1:3010`. */
  url: string;
  /** Configuration of the catalog. If the operating system chose the port, `url` contains that port. */
  config: CatalogConfig;
  reader: CatalogReader;
  /** Indexer of this template catalog. `null` if another process writes the template index. */
  indexing: Indexing | null;
}

export interface CatalogOptions {
  log?: Logger;
}

/**
 * Starts a template catalog: the HTTP server, and the indexer in a separate process. Disposing the returned object
 * stops the server and the indexer.
 * @throws Error with the reason and a solution
 */
export async function createCatalog(given: CatalogConfig, options: CatalogOptions = {}): Promise<Catalog> {
  try {
    return await open({ ...given }, options);
  } catch (error) {
    throw explainStart(error, given);
  }
}

async function open(config: CatalogConfig, options: CatalogOptions): Promise<Catalog> {
  const log = options.log ?? createLogger({ level: config.logLevel });
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  await using cleanup = new AsyncDisposableStack();
  const reader = cleanup.use(openReader(databaseFile(config.dataDir)));
  let indexing: Indexing | null = null;
  const passes = () => indexing?.passes() ?? 0;
  const validator = cleanup.use(new ThreadValidator());
  const pages = createPages({ reader, config, log, validator });
  const http = cleanup.use(await startHttp({ config, reader, log, validator, pages, passes }));
  if (config.listen.port === 0) config.url = config.url.replace(/:0$/, `:${new URL(http.url).port}`);
  // The indexer starts after the HTTP server. If the HTTP server's address is in use, the indexer must not start.
  if (config.indexes !== false) indexing = startIndexing(config, log);
  const opened = cleanup.move();
  return {
    url: http.url,
    config,
    reader,
    indexing,
    /*
     * Stopping the HTTP server can take seconds, and so can stopping the indexer. Therefore, both are stopped
     * concurrently.
     */
    [Symbol.asyncDispose]: async () =>
      void (await Promise.all([indexing?.[Symbol.asyncDispose](), opened.disposeAsync()])),
  };
}
