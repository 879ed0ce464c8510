import { constants } from 'node:os';
import { BoundedQueue } from '../../../streams/bounded-queue.ts';
import { EngineProblem } from '../engine-problem.ts';
import { EngineRefused } from '../errors.ts';
import type { Program } from '../execution.ts';
import type { Terminal, TerminalSize } from '../terminal.ts';
import type { EventBus } from './bus.ts';
import type { SimulatedEngineState } from './state.ts';

const PROMPT = '$ ';

/**
 * Output of the simulated program `yes` in a terminal. The simulation repeats this output until the user interrupts the
 * program.
 */
const FLOOD = Buffer.from('y\r\n'.repeat(4_096));

const INTERRUPT = '\u0003';
const END_OF_INPUT = '\u0004';
const KILLED = 128 + constants.signals.SIGKILL;

/** Pattern for programs that the simulated terminal treats as a shell, including database clients. */
const SHELLS = /(^|\/)(sh|bash|psql|mariadb|mysql|redis-cli|mongosh)$/;

/**
 * Opens a simulated terminal with a shell inside a simulated container. The shell echoes its input. The shell supports
 * `echo` (with `$NAME`), `id -u`, `stty size` and `exit`. The shell also supports `yes` and `sleep`, which run until
 * the user interrupts them.
 * @throws EngineRefused if the container does not run
 * @throws EngineProblem if the program is not a shell
 */
export function openTerminal(
  state: SimulatedEngineState,
  bus: EventBus,
  id: string,
  program: Program,
  size: TerminalSize,
  signal: AbortSignal,
): Terminal {
  const isRunning = () => state.containers.get(id)?.state === 'running';
  if (!isRunning()) throw new EngineRefused('The terminal cannot be opened, because the container is not running.');
  const [name = ''] = program.command;
  if (!SHELLS.test(name)) throw new EngineProblem('command_not_found', 'open terminal', `${name}: no such file`);
  const shell = new SimulatedShell(program, size);
  const ended = new AbortController();
  signal.addEventListener('abort', () => shell.end(KILLED), { once: true, signal: ended.signal });
  void shell.exited.then(() => ended.abort());
  void endWith(isRunning, bus, shell, ended.signal);
  return shell;
}

async function endWith(isRunning: () => boolean, bus: EventBus, shell: SimulatedShell, over: AbortSignal) {
  while (!over.aborted) {
    if (!isRunning()) return shell.end(KILLED);
    // Ignores the abort error of `bus.next`, because the signal is aborted only after the shell has ended.
    await bus.next(over).catch(() => undefined);
  }
}

class SimulatedShell implements Terminal {
  readonly output: AsyncIterable<Buffer> = this.#written();
  readonly exited: Promise<number | null>;
  readonly #exit: (code: number) => void;
  readonly #started: Program;
  #size: TerminalSize;
  readonly #ready = new BoundedQueue<string>();
  #line = '';
  /** Program that runs in the terminal, or `null` while the shell waits for a command. */
  #program: 'yes' | 'sleep' | null = null;
  #ended = false;

  constructor(started: Program, size: TerminalSize) {
    this.#started = started;
    this.#size = size;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.exited = promise;
    this.#exit = resolve;
    this.#show(PROMPT);
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (const key of Buffer.from(bytes).toString()) this.#type(key);
  }

  async resize(size: TerminalSize): Promise<void> {
    this.#size = size;
  }

  end(code: number): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#exit(code);
    this.#ready.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end(KILLED);
  }

  async *#written(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.#program === 'yes' && !this.#ended && this.#ready.size === 0) yield await flood();
      else {
        const texts = await this.#ready.nextAll();
        if (texts === undefined) return;
        yield Buffer.from(texts.join(''));
      }
    }
  }

  #show(text: string): void {
    void this.#ready.push(text);
  }

  #type(key: string): void {
    if (this.#ended) return;
    if (key === INTERRUPT) {
      this.#line = '';
      this.#program = null;
      this.#show(`^C\r\n${PROMPT}`);
    } else if (this.#program !== null) return;
    else if (key === END_OF_INPUT) this.end(0);
    else if (key === '\n' || key === '\r') this.#enter();
    else {
      this.#line += key;
      this.#show(key);
    }
  }

  #enter(): void {
    const [verb, ...words] = this.#line.trim().split(/\s+/);
    this.#line = '';
    this.#show('\r\n');
    if (verb === 'exit') this.end(words[0] === undefined ? 0 : Number(words[0]));
    else if (verb === 'yes' || verb === 'sleep') this.#program = verb;
    else this.#show(`${this.#answer(verb, words)}${PROMPT}`);
  }

  #answer(verb: string | undefined, words: string[]): string {
    if (verb === 'echo') return `${words.map((word) => this.#expanded(word)).join(' ')}\r\n`;
    if (verb === 'id') return `${this.#started.user ?? 0}\r\n`;
    return verb === 'stty' ? `${this.#size.rows} ${this.#size.columns}\r\n` : '';
  }

  #expanded(word: string): string {
    return word.startsWith('$') ? (this.#started.env?.[word.slice(1)] ?? '') : word;
  }
}

/** Returns the output of `yes` in a later turn of the event loop, like a real process. */
function flood(): Promise<Buffer> {
  return new Promise((resolve) => setImmediate(resolve, FLOOD));
}
