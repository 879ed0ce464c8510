import type { Config } from '../config/config.ts';
import type { Daemon } from './daemon.ts';

/** Receives progress messages while the daemon starts. */
export interface Report {
  /** Runs one step of the daemon's start. Reports the name and duration of the step. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
  note(text: string): void;
  ready(daemon: Daemon, config: Config): void;
  /**
   * Reports that another daemon process already uses this data directory.
   * @param api address of the API of the other process
   */
  running(api: string): void;
  failed(message: string): void;
  /** Reports that the daemon runs in safe mode. */
  safeMode(mode: SafeMode): void;
  /** Reports that safe mode has ended, because the instance starts or the daemon stops. */
  safeModeEnded(): void;
}

/** Safe mode of a daemon that cannot open its state. Dispose the object to end the daemon. */
export interface SafeMode extends AsyncDisposable {
  /** URL of the HTTP server, for example `http://127.0.0.1:3000`. */
  url: string;
  /** What happened, and what the operator must do. */
  lines: readonly string[];
}

type Message = Record<string, unknown> & { kind: string };

/**
 * Creates an object that reports the progress while the daemon starts. If `send` is set, the object sends messages to
 * the parent process. Otherwise, it writes lines of text.
 */
export function createReport(send: ((message: Message) => void) | undefined, write: (line: string) => void): Report {
  const emit = (message: Message, line: string) => (send ? send(message) : write(line));
  return {
    async step(name, work) {
      const started = performance.now();
      const result = await work();
      const ms = Math.round(performance.now() - started);
      emit({ kind: 'step', name, ms }, `✓ ${name} (${ms} ms)`);
      return result;
    },
    note: (text) => emit({ kind: 'note', text }, `! ${text}`),
    ready({ url, setupToken, core, firstRun }, config) {
      const { kind, capabilities } = core.engine;
      const { domain, ports } = core.facts;
      const token = setupToken === null ? '' : `, setup token ${setupToken}`;
      emit(
        {
          kind: 'ready',
          api: url,
          setupToken,
          socket: core.facts.socket,
          dataDir: config.dataDir,
          firstRun,
          demo: config.demo,
          engine: { kind, simulated: capabilities.simulated },
          httpPort: ports.http,
          domain,
        },
        `The API is at ${url}${token}`,
      );
    },
    running: (api) => emit({ kind: 'running', api }, `Davit is already running: ${api}`),
    safeMode: ({ url, lines }) =>
      emit(
        { kind: 'safe mode', api: url, lines: [...lines] },
        [`✗ Davit runs in safe mode at ${url}.`, ...lines].join('\n  '),
      ),
    safeModeEnded: () => undefined,
    failed: (message) => emit({ kind: 'failed', message }, `✗ ${message}`),
  };
}
