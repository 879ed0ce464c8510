import { createListener, type Listener, type Logger } from '@davit/service';
import type { CatalogConfig } from '../config/config.ts';
import type { CatalogReader } from '../store/types.ts';
import { Answers } from './answers.ts';
import { type AppParts, type CatalogApp, createApp } from './app.ts';
import { Cursors, cursorKey } from './cursor.ts';
import { OPEN, rawFailure } from './failure.ts';
import { createExposition } from './metrics.ts';
import { operatorRoutes } from './operator.ts';
import { RequestCounts } from './request-counts.ts';
import { templateRoutes } from './templates.ts';
import { validateRoute } from './validate.ts';
import type { Validator } from './validator.ts';

export interface HttpParts extends Pick<AppParts, 'pages'> {
  config: CatalogConfig;
  reader: CatalogReader;
  log: Logger;
  validator: Validator;
  /** Returns the number of finished indexing runs. */
  passes?: () => number;
}

export interface HttpServer extends AsyncDisposable {
  app: CatalogApp;
  /** URL of the HTTP server, such as `http://127.0.0.1:3010`. */
  url: string;
}

/**
 * Maximum time in milliseconds that a stopping server waits for running HTTP requests. This time must be shorter than
 * the time after which the process exits.
 */
const CLOSE_MS = 2_000;

/**
 * Starts the HTTP server of the catalog's API and web pages.
 * @throws Error if the address is in use
 */
export async function startHttp(parts: HttpParts): Promise<HttpServer> {
  const { config, log } = parts;
  await using cleanup = new AsyncDisposableStack();
  const app = appOf(parts);
  const listener: Listener = createListener({ app, log, headers: OPEN, form: rawFailure });
  cleanup.defer(() => listener.close({ deadlineMs: CLOSE_MS }));
  const { host, port } = await listener.listenTcp(config.listen.host, config.listen.port);
  const opened = cleanup.move();
  return {
    app,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function appOf({ config, reader, log, validator, pages, passes = () => 0 }: HttpParts): CatalogApp {
  const answers = new Answers(reader);
  const counts = new RequestCounts();
  const metrics = createExposition({ reader, answers, counts, passes });
  const routes = [
    ...templateRoutes({ answers, config, cursors: new Cursors(cursorKey(config.dataDir)) }),
    validateRoute(validator),
    ...operatorRoutes({ config, reader, metrics }),
  ];
  return createApp({ routes, counts, log, ...(pages && { pages }) });
}
