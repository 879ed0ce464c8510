import { EngineRefused, EngineUnavailable } from '../errors.ts';

/** The primitives that can be counted, made to fail and held. */
export type Primitive =
  | 'info'
  | 'findImage'
  | 'findImageById'
  | 'findRemoteImage'
  | 'pullImage'
  | 'nameImage'
  | 'holdImage'
  | 'releaseImage'
  | 'heldImages'
  | 'inspectHeld'
  | 'untagImage'
  | 'ensureNetwork'
  | 'removeNetwork'
  | 'networks'
  | 'createGroup'
  | 'start'
  | 'keepRunning'
  | 'waitExit'
  | 'stop'
  | 'remove'
  | 'setLimits'
  | 'observe'
  | 'probe'
  | 'lastLines'
  | 'runOnce'
  | 'openTerminal'
  | 'execute'
  | 'madeImages'
  | 'makeImage'
  | 'usage'
  | 'ensureVolume'
  | 'removeVolume'
  | 'volumes'
  | 'volumeSize'
  | 'storageUse'
  | 'disk'
  | 'checkRegistry'
  | 'publishNames'
  | 'limitHostAccess';

export interface Failure {
  /** Which call from now fails: 1 is the next. */
  at?: number;
  /** How many calls in a row fail. */
  times?: number;
  /** The work is done and then the answer is lost, as when the engine dies after it. */
  afterEffect?: boolean;
  error?: Error;
}

/** A call that was held: tests use it to force an interleaving. */
export interface Gate {
  /** Resolves when a call has arrived and waits. */
  reached: Promise<void>;
  /** Lets the call go on. */
  open(): void;
}

interface ArmedGate extends Gate {
  arrive(): void;
  opened: Promise<void>;
}

interface ArmedFailure {
  primitive: Primitive | '*';
  wait: number;
  left: number;
  afterEffect: boolean;
  error: Error | null;
}

/** Every call of the simulated engine goes through here: counted, held, refused, or let through. */
export class Switchboard {
  readonly calls: Primitive[] = [];
  available = true;
  readonly #gates = new Map<Primitive, ArmedGate[]>();
  #failures: ArmedFailure[] = [];

  async call<T>(primitive: Primitive, signal: AbortSignal | undefined, work: () => T | Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    this.calls.push(primitive);
    await this.#hold(primitive, signal);
    this.assertAvailable();
    const failure = this.#due(primitive);
    if (failure !== null && !failure.afterEffect) throw failureError(failure, primitive);
    const result = await work();
    if (failure !== null) throw failureError(failure, primitive);
    return result;
  }

  assertAvailable(): void {
    if (!this.available) throw new EngineUnavailable('The simulated engine was told not to answer.');
  }

  fail(primitive: Primitive | '*', failure: Failure): void {
    const { at = 1, times = 1, afterEffect = false, error = null } = failure;
    this.#failures.push({ primitive, wait: at - 1, left: times, afterEffect, error });
  }

  clearFailures(): void {
    this.#failures = [];
  }

  gate(primitive: Primitive): Gate {
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const gate = { reached: reached.promise, arrive: reached.resolve, opened: opened.promise, open: opened.resolve };
    this.#gates.set(primitive, [...(this.#gates.get(primitive) ?? []), gate]);
    return gate;
  }

  async #hold(primitive: Primitive, signal: AbortSignal | undefined): Promise<void> {
    const gate = this.#gates.get(primitive)?.shift();
    if (gate === undefined) return;
    gate.arrive();
    await abortable(gate.opened, signal);
  }

  /** Counts this call on every armed failure; the first that is due decides. */
  #due(primitive: Primitive): ArmedFailure | null {
    let due: ArmedFailure | null = null;
    for (const failure of this.#failures) {
      if (failure.primitive !== '*' && failure.primitive !== primitive) continue;
      if (failure.wait > 0) failure.wait -= 1;
      else if (due === null) due = failure;
    }
    if (due !== null) due.left -= 1;
    this.#failures = this.#failures.filter((failure) => failure.left > 0);
    return due;
  }
}

function failureError(failure: ArmedFailure, primitive: Primitive): Error {
  return failure.error ?? new EngineRefused(`${primitive}: the simulated engine was told to fail`);
}

/** The promise, or the signal's reason when it aborts first. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
