import { createLogger, type Logger } from '@davit/service';
import type { Adapters } from './adapters.ts';
import { assemble } from './assemble.ts';
import type { FetchOptions } from './auth/oauth/client-document.ts';
import type { DiskWatchOptions } from './background/disk.ts';
import type { Interfaces } from './certificates/public-address.ts';
import type { Config } from './config/config.ts';
import type { Core } from './core/core.ts';
import type { DeployLimits } from './deploy/work.ts';
import { type ApiServer, startApi } from './http/server.ts';
import { mcpEndpoint } from './mcp/endpoint.ts';
import type { State } from './state.ts';
import type { TaskLimits } from './tasks/kind.ts';

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

export interface DaemonOptions {
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Milliseconds that pass whatever the clock is set to; those of `now`, or of the process, unless given. */
  running?: () => number;
  log?: Logger;
  limits?: Partial<DeployLimits>;
  taskLimits?: Partial<TaskLimits>;
  /** The machine's network interfaces; its own unless given. */
  interfaces?: Interfaces;
  /** The folder with the built dashboard; that of its package unless given. */
  dashboard?: string;
  /** How descriptions of programs that ask for access are read; carefully unless given. */
  clients?: FetchOptions;
  /** How full the data directory's disk is; asked of the system unless given. */
  diskUse?: DiskWatchOptions['use'];
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
