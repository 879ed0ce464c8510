import { constants } from 'node:os';
import { EngineRefused } from '../errors.ts';
import type { Terminal, TerminalSize } from '../terminal.ts';
import type { EventBus } from './bus.ts';
import type { MemoryWorld } from './world.ts';

const PROMPT = '$ ';

/** What `yes` has ready when somebody takes it; more is made as it is taken. */
const FLOOD = Buffer.from('y\r\n'.repeat(4_096));

const INTERRUPT = '\u0003';
const END_OF_INPUT = '\u0004';
const KILLED = 128 + constants.signals.SIGKILL;

/**
 * A simulated terminal inside a simulated instance, with a shell that knows as much as tests need: it echoes what is
 * typed, and understands `echo`, `stty size`, `yes` (which goes on until it is interrupted), `sleep` (the same, quietly)
 * and `exit`.
 */
export function openTerminal(
  world: MemoryWorld,
  bus: EventBus,
  id: string,
  command: string[],
  size: TerminalSize,
  signal: AbortSignal,
): Terminal {
  const isRunning = () => world.containers.get(id)?.state === 'running';
  if (!isRunning()) throw new EngineRefused('open terminal: the instance does not run');
  const [program = ''] = command;
  if (!/(^|\/)(sh|bash)$/.test(program)) throw new EngineRefused(`open terminal: exec: "${program}": no such file`);
  const shell = new SimulatedShell(size);
  const ended = new AbortController();
  signal.addEventListener('abort', () => shell.end(KILLED), { once: true, signal: ended.signal });
  void shell.exited.then(() => ended.abort());
  void endWith(isRunning, bus, shell, ended.signal);
  return shell;
}

/** An instance that ends takes what runs in it along. */
async function endWith(isRunning: () => boolean, bus: EventBus, shell: SimulatedShell, over: AbortSignal) {
  while (!over.aborted) {
    if (!isRunning()) return shell.end(KILLED);
    // It is only ever given up when the shell has ended by itself.
    await bus.next(over).catch(() => undefined);
  }
}

class SimulatedShell implements Terminal {
  readonly output: AsyncIterable<Buffer> = this.#written();
  readonly exited: Promise<number | null>;
  readonly #exit: (code: number) => void;
  #size: TerminalSize;
  #ready = PROMPT;
  #line = '';
  /** What has the terminal at present; null: the shell itself. */
  #program: 'yes' | 'sleep' | null = null;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(size: TerminalSize) {
    this.#size = size;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.exited = promise;
    this.#exit = resolve;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (const key of Buffer.from(bytes).toString()) this.#type(key);
    this.#wake();
  }

  async resize(size: TerminalSize): Promise<void> {
    this.#size = size;
  }

  end(code: number): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#exit(code);
    this.#wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.end(KILLED);
  }

  async *#written(): AsyncGenerator<Buffer> {
    for (;;) {
      const text = this.#ready;
      this.#ready = '';
      if (text !== '') yield Buffer.from(text);
      else if (this.#ended) return;
      else if (this.#program === 'yes') yield await flood();
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #type(key: string): void {
    if (this.#ended) return;
    if (key === INTERRUPT) {
      this.#line = '';
      this.#program = null;
      this.#ready += `^C\r\n${PROMPT}`;
    } else if (this.#program !== null) return;
    else if (key === END_OF_INPUT) this.end(0);
    else if (key === '\n' || key === '\r') this.#enter();
    else {
      this.#line += key;
      this.#ready += key;
    }
  }

  #enter(): void {
    const [verb, ...words] = this.#line.trim().split(/\s+/);
    this.#line = '';
    this.#ready += '\r\n';
    if (verb === 'exit') this.end(words[0] === undefined ? 0 : Number(words[0]));
    else if (verb === 'yes' || verb === 'sleep') this.#program = verb;
    else this.#ready += `${this.#answer(verb, words)}${PROMPT}`;
  }

  #answer(verb: string | undefined, words: string[]): string {
    if (verb === 'echo') return `${words.join(' ')}\r\n`;
    return verb === 'stty' ? `${this.#size.rows} ${this.#size.columns}\r\n` : '';
  }
}

/** After a turn of the event loop, as anything that comes from a process does. */
function flood(): Promise<Buffer> {
  return new Promise((resolve) => setImmediate(resolve, FLOOD));
}
