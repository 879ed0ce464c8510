import { constants } from 'node:os';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { EngineProblem } from '../engine-problem.ts';
import { EngineRefused } from '../errors.ts';
import type { Execution, ExecutionEnd, ExecutionInput, Program } from '../execution.ts';
import { StderrTail } from '../execution.ts';
import type { EventBus } from './bus.ts';
import type { MemoryContainer } from './container.ts';
import { PROGRAMS } from './programs.ts';
import type { SimulatedProgram, SimulatedRun } from './simulated-program.ts';
import type { SimulatedEngineState } from './state.ts';

const KILLED = 128 + constants.signals.SIGKILL;
const READ_AHEAD_BYTES = 64 * 1024;

/**
 * Runs a simulated program in a simulated container. The test or `programs.ts` defines the program.
 * @throws EngineRefused if the container does not run
 * @throws EngineProblem for an unknown program
 */
export function execute(
  state: SimulatedEngineState,
  bus: EventBus,
  id: string,
  program: Program,
  input: ExecutionInput,
): Execution {
  const [first = ''] = program.command;
  const container = state.containers.get(id);
  if (container?.state !== 'running')
    throw new EngineRefused(`The program ${first} cannot run, because the container is not running.`);
  const name = basename(first);
  const what = state.programs.get(name) ?? PROGRAMS[name];
  if (what === undefined) throw new EngineProblem('command_not_found', `run ${first}`, 'no such file');
  const execution = new SimulatedExecution(input);
  void endWith(state, bus, container, execution);
  const running = { container: id, program: name };
  state.executions.add(running);
  void execution.run(what, container, program).finally(() => state.executions.delete(running));
  return execution;
}

/** Kills the simulated program when its container stops or is removed. */
async function endWith(
  state: SimulatedEngineState,
  bus: EventBus,
  container: MemoryContainer,
  execution: SimulatedExecution,
) {
  const { signal } = execution.over;
  while (!signal.aborted) {
    if (container.state !== 'running' || !state.containers.has(container.id)) {
      const isGone = !state.containers.has(container.id);
      return execution.kill(
        isGone ? new EngineRefused('A container was removed while a program was still running in it.') : null,
      );
    }
    // Ignores the abort error of `bus.next`, because the signal is aborted only after the program has ended.
    await bus.next(signal).catch(() => undefined);
  }
}

class SimulatedExecution implements Execution {
  readonly stdout: Readable;
  readonly exited: Promise<ExecutionEnd>;
  readonly over = new AbortController();
  readonly #input: ExecutionInput;
  readonly #stderr = new StderrTail();
  readonly #end = Promise.withResolvers<ExecutionEnd>();
  readonly #killed = new AbortController();
  #failure: { reason: unknown } | null = null;
  #roomMade: () => void = () => undefined;

  constructor(input: ExecutionInput) {
    this.#input = input;
    this.exited = this.#end.promise;
    this.exited.catch(() => undefined);
    this.stdout = new Readable({
      highWaterMark: READ_AHEAD_BYTES,
      read: () => this.#roomMade(),
      destroy: (error, done) => {
        this.#roomMade();
        this.kill(null);
        done(error);
      },
    }).on('error', () => undefined);
    const onAbort = () => this.kill(input.signal.reason);
    input.signal.addEventListener('abort', onAbort, { once: true, signal: this.over.signal });
  }

  /** @param reason error with which `exited` rejects, or `null` to report an exit code */
  kill(reason: unknown): void {
    if (this.over.signal.aborted) return;
    if (reason !== null) this.#failure ??= { reason };
    this.#killed.abort();
  }

  async run(what: SimulatedProgram, container: MemoryContainer, { command, env = {}, user }: Program): Promise<void> {
    const killed = Promise.withResolvers<number>();
    this.#killed.signal.addEventListener('abort', () => killed.resolve(KILLED), { once: true });
    const run: SimulatedRun = {
      ...{ command, env: { ...container.env, ...env }, user: user ?? null, container },
      stdin: this.#stdin(),
      write: (bytes) => this.#write(bytes),
      complain: (text) => this.#complain(Buffer.from(text)),
      signal: this.#killed.signal,
    };
    // If the program was killed, its own exit code or error is ignored.
    const exitCode = await Promise.race([Promise.resolve(run).then(what), killed.promise]).catch((error: unknown) => {
      this.#failure ??= { reason: error };
      return KILLED;
    });
    this.over.abort();
    if (this.#failure === null) {
      this.#end.resolve({ exitCode, stderrTail: this.#stderr.toString() });
      this.stdout.push(null);
    } else {
      this.#end.reject(this.#failure.reason);
      this.stdout.destroy(this.#failure.reason as Error);
    }
  }

  /**
   * Yields the stdin of a simulated program. If reading the input fails, the program is killed. Closing stdin instead
   * would look like the end of complete input.
   */
  async *#stdin(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#input.stdin ?? []) yield chunk;
    } catch (error) {
      this.kill(error);
      await new Promise<never>(() => undefined);
    }
  }

  #complain(bytes: Buffer): void {
    this.#stderr.push(bytes);
    void this.#input.onStderr?.(bytes);
  }

  async #write(bytes: Uint8Array | string): Promise<void> {
    if (this.over.signal.aborted || this.stdout.destroyed) return;
    if (this.stdout.push(Buffer.from(bytes as Uint8Array))) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#roomMade = resolve;
    await promise;
  }
}
