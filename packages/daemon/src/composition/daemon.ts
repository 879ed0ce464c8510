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
  /** The API's address, `http://127.0.0.1:3000`. */
  url: string;
  /** What the first account is claimed with; null when it has been. */
  setupToken: string | null;
  firstRun: boolean;
  /** Resolves when what the last process left is taken up and writes are accepted. */
  ready: Promise<void>;
  /** Resolves when nothing is under way: for tests, and before a stop. */
  settled(): Promise<void>;
}

/**
 * Puts an instance together and opens its API. This is the one place that knows every part; each part knows only the
 * interfaces it is given. Disposing it lets go of everything and leaves apps and proxy serving.
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
  // Known only now where the port was left to the system.
  parts.core.facts.apiAddress = api.address;
  const ready = parts.begin();
  // Whoever waits for it sees the failure; it must not end the process of one who does not.
  ready.catch((error) => log.error({ error }, 'the instance could not be brought up'));
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
