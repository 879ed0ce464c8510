import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from '@davit/service';
import type { CatalogConfig } from '../config/config.ts';
import type { IndexerCommand, IndexerMessage } from './messages.ts';

/**
 * Pause in milliseconds before a crashed indexer is restarted. The pause doubles with each crash. A finished indexing
 * run resets the pause to this value.
 */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/**
 * Maximum time in milliseconds from the stop message to the exit of the indexer. If the time expires, the indexer
 * process is killed.
 */
const STOP_MS = 5_000;

/**
 * Node flag that makes V8 remove short-lived objects earlier. The flag saves about 60 MiB of memory for 10,000 Git
 * repositories.
 */
export const INDEXER_FLAGS = ['--max-semi-space-size=4'];

export interface IndexerProcessOptions {
  config: CatalogConfig;
  /** Path of the catalog's SQLite file. */
  database: string;
  log: Logger;
  onPass(pass: Extract<IndexerMessage, { kind: 'pass' }>): void;
  /** Called if the indexer cannot use this data directory. In this case, the indexer process is not restarted. */
  onRefused(reason: string): void;
}

/** Starts the indexer in a child process and restarts it after a crash. */
export function startIndexerProcess(options: IndexerProcessOptions): AsyncDisposable {
  return new IndexerProcess(options);
}

class IndexerProcess implements AsyncDisposable {
  readonly #options: IndexerProcessOptions;
  #child: ChildProcess;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isStopping = false;
  #isRefused = false;

  constructor(options: IndexerProcessOptions) {
    this.#options = options;
    this.#child = this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const command: IndexerCommand = { kind: 'stop' };
    // If the IPC channel of the indexer process is closed, the process is already stopping.
    if (child.connected) child.send(command, () => undefined);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(timer);
  }

  #start(): ChildProcess {
    const { config, database, log } = this.#options;
    // `detached` protects the indexer from Ctrl+C in the terminal. The catalog server stops the indexer instead.
    const child = fork(join(import.meta.dirname, 'main.ts'), {
      detached: true,
      execArgv: [...process.execArgv, ...INDEXER_FLAGS],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (message) => this.#take(message as IndexerMessage));
    child.on('error', (error) => {
      log.error({ error }, 'indexer could not be started, or does not accept messages');
      // If a process cannot be started, Node emits no `exit` event.
      if (child.pid === undefined) this.#again(null, null);
    });
    child.once('exit', (code, signal) => this.#again(code, signal));
    const command: IndexerCommand = { kind: 'start', config, database };
    child.send(command, () => undefined);
    return child;
  }

  #take(message: IndexerMessage): void {
    if (message.kind === 'refused') {
      this.#isRefused = true;
      this.#options.onRefused(message.reason);
      return;
    }
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#options.onPass(message);
  }

  #again(code: number | null, signal: string | null): void {
    if (this.#isStopping || this.#isRefused) return;
    this.#options.log.error(
      { code, signal, again_in_ms: this.#pauseMs },
      'indexer ended unexpectedly: the catalog serves the existing index',
    );
    this.#timer = setTimeout(() => {
      this.#child = this.#start();
    }, this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
