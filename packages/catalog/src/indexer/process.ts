import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from '@davit/service';
import type { CatalogConfig } from '../config/config.ts';
import type { IndexerCommand, IndexerMessage } from './messages.ts';

/** What a second death in a row waits for, and what it waits for at most. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** It ends by itself within five seconds of being told. */
const STOP_MS = 5_000;

/**
 * How the indexer's own process is run. Most of what a pass makes is of no use a moment later: a small nursery finds that
 * out before it has grown the process, by some 60 MiB in a pass over 10,000 repositories.
 */
export const INDEXER_FLAGS = ['--max-semi-space-size=4'];

export interface IndexerProcessOptions {
  config: CatalogConfig;
  /** The file of the store. */
  database: string;
  log: Logger;
  onPass(pass: Extract<IndexerMessage, { kind: 'pass' }>): void;
  /** It cannot work here, and is not started again. */
  onRefused(reason: string): void;
}

/** Keeps an indexer running beside the server, and starts it again when it dies. */
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
    // One that is not connected any more is stopping by itself.
    if (child.connected) child.send(command, () => undefined);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(timer);
  }

  #start(): ChildProcess {
    const { config, database, log } = this.#options;
    // In a group of its own: an interrupt from a terminal reaches it through the server alone, which waits for its end.
    const child = fork(join(import.meta.dirname, 'main.ts'), {
      detached: true,
      execArgv: [...process.execArgv, ...INDEXER_FLAGS],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (message) => this.#take(message as IndexerMessage));
    child.on('error', (error) => {
      log.error({ error }, 'the indexer cannot be started or told something');
      // What never started does not exit either.
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
      'the indexer died: readers keep what they have',
    );
    this.#timer = setTimeout(() => {
      this.#child = this.#start();
    }, this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
