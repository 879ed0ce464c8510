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
  /** URL of the API, for example `http://127.0.0.1:3000`. */
  url: string;
  /** Setup token to create the first user, or `null` if a user exists. */
  setupToken: string | null;
  firstRun: boolean;
  /** Resolves when the daemon has continued its unfinished deployments and tasks, and the API accepts changes. */
  ready: Promise<void>;
  /**
   * Resolves when no deployment, task or reconciler is running. Tests wait for this promise. The daemon waits for it
   * before it stops.
   */
  settled(): Promise<void>;
}

/**
 * Creates and connects the modules of the daemon and opens its API. Dispose the returned object to stop the daemon.
 * HAProxy and the containers of apps then continue to run.
 */
export async function createDaemon(
  config: Config,
  state: State,
  adapters: Adapters,
  options: DaemonOptions = {},
): Promise<Daemon> {
  const log = options.log ?? createLogger({ level: config.logLevel });
  // If a module cannot be created, the others are closed. Otherwise, safe mode could not lock the data directory.
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(state);
  cleanup.use(adapters.engine);
  cleanup.use(adapters.proxy);
  cleanup.use(adapters.registry);
  const parts = assemble({ config, state, adapters, options, log });
  cleanup.defer(() => parts.stop());
  const api: ApiServer = cleanup.use(
    await startApi(parts.core, config, log, {
      isReady: parts.isReady,
      dashboard: options.dashboard,
      clients: options.clients,
      mcp: mcpEndpoint,
    }),
  );
  /*
   * The API address is set here, because the port is not known earlier. If the configured port is 0, the operating
   * system selects the port.
   */
  parts.core.facts.apiAddress = api.address;
  const ready = parts.begin();
  /*
   * This handler prevents an unhandled rejection, which would end the process. Code that awaits `ready` handles the
   * error itself.
   */
  ready.catch((error) => log.error({ error }, 'instance could not be started'));
  const stack = cleanup.move();
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
