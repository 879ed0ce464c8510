import { createLogger } from '@davit/service';
import type { Config } from '../config/config.ts';
import { type ApiServer, startApi } from '../http/server.ts';
import { mcpEndpoint } from '../mcp/endpoint.ts';
import type { Adapters } from './adapters.ts';
import { assemble } from './assemble.ts';
import type { Core } from './core.ts';
import type { DaemonOptions } from './options.ts';
import type { State } from './state.ts';

export interface Daemon extends AsyncDisposable {
  core: Core;
  /** URL of the API, such as `http://127.0.0.1:3000`. */
  url: string;
  /** Token with which the first user claims the instance, or `null` if the instance has been claimed. */
  setupToken: string | null;
  firstRun: boolean;
  /** Resolves when the work that the last process left unfinished has been resumed, and writes are accepted. */
  ready: Promise<void>;
  /** Resolves when no work is in progress. For tests, and before a stop. */
  settled(): Promise<void>;
}

/**
 * Assembles an instance and opens its API. This is the only function that uses all parts; each part depends only on the
 * interfaces that it gets. Disposing the daemon releases everything, but apps and the proxy keep serving.
 */
export async function createDaemon(
  config: Config,
  state: State,
  adapters: Adapters,
  options: DaemonOptions = {},
): Promise<Daemon> {
  const log = options.log ?? createLogger({ level: config.logLevel });
  const stack = new AsyncDisposableStack();
  stack.use(state);
  stack.use(adapters.engine);
  stack.use(adapters.proxy);
  stack.use(adapters.registry);
  const parts = assemble({ config, state, adapters, options, log });
  stack.defer(() => parts.stop());
  const api: ApiServer = stack.use(
    await startApi(parts.core, config, log, {
      isReady: parts.isReady,
      dashboard: options.dashboard,
      clients: options.clients,
      mcp: mcpEndpoint,
    }),
  );
  // If the system selects the port, it is known only now.
  parts.core.facts.apiAddress = api.address;
  const ready = parts.begin();
  // The caller that awaits `ready` handles the failure. Without this handler, an unhandled rejection would end the
  // process.
  ready.catch((error) => log.error({ error }, 'instance could not be started'));
  return {
    core: parts.core,
    url: api.url,
    setupToken: api.setupToken(),
    firstRun: state.firstRun,
    ready,
    settled: parts.settled,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
