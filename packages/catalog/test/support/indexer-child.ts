import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CatalogConfig } from '../../src/config/config.ts';
import type { IndexerCommand, IndexerMessage } from '../../src/indexer/messages.ts';
import { INDEXER_FLAGS } from '../../src/indexer/process.ts';

const MAIN = fileURLToPath(new URL('../../src/indexer/main.ts', import.meta.url));

export interface LogLine {
  msg: string;
  repository?: string;
  tag?: string;
}

/** Indexer process, started as by the server. Records the log lines and messages of the process. */
export class IndexerChild implements AsyncDisposable {
  readonly lines: LogLine[] = [];
  readonly child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #seen: () => void = () => undefined;
  #messages: IndexerMessage[] = [];

  constructor(config: CatalogConfig, database: string) {
    this.child = fork(MAIN, {
      execArgv: [...process.execArgv, ...INDEXER_FLAGS],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      env: { PATH: process.env.PATH },
    });
    this.#exited = once(this.child, 'exit');
    let text = '';
    this.child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      const lines = (text + part).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.lines.push(JSON.parse(line) as LogLine);
      this.#seen();
    });
    this.child.on('message', (message) => {
      this.#messages.push(message as IndexerMessage);
      this.#seen();
    });
    this.child.on('exit', () => this.#seen());
    this.tell({ kind: 'start', config, database });
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  tell(command: IndexerCommand): void {
    // A killed process no longer receives messages. This is not an error.
    this.child.send(command, () => undefined);
  }

  /**
   * Waits until `look` returns a value. Checks again after each log line or message.
   * @throws Error if the process ends before that
   */
  async until<T>(what: string, look: (child: this) => T | undefined): Promise<T> {
    for (;;) {
      const found = look(this);
      if (found !== undefined) return found;
      if (!this.isAlive) throw new Error(`the indexer ended before ${what}: ${JSON.stringify(this.lines.at(-1))}`);
      await new Promise<void>((resolve) => {
        this.#seen = resolve;
      });
    }
  }

  message<Kind extends IndexerMessage['kind']>(kind: Kind): Promise<Extract<IndexerMessage, { kind: Kind }>> {
    const isKind = (one: IndexerMessage): one is Extract<IndexerMessage, { kind: Kind }> => one.kind === kind;
    return this.until(kind, () => this.#messages.find(isKind));
  }

  async ended(): Promise<void> {
    await this.#exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
  }
}
