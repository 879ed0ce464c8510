import { EngineRefused, EngineUnavailable } from '../errors.ts';

/**
 * Names of the methods of the simulated Docker. A test can count the calls of each method, block a call, or let it fail
 * with an error.
 */
export type Primitive =
  | 'info'
  | 'findImage'
  | 'findImageById'
  | 'localTags'
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
  | 'openConnection'
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
  /** First call that fails: 1 is the next call of the method, 2 is the call after that. Default: 1. */
  at?: number;
  /** Number of calls in a row that fail. Default: 1. */
  times?: number;
  /**
   * `true` if the call does its work before it fails. This simulates that Docker crashes after the work, but before it
   * responds.
   */
  afterEffect?: boolean;
  error?: Error;
}

/**
 * Handle that lets a test block and continue one method call of the simulated Docker. Tests use it to control the order
 * of concurrent calls.
 */
export interface Gate {
  /** Resolves when the tested code has called the blocked method. The method then waits until the test calls `open`. */
  reached: Promise<void>;
  open(): void;
}

export interface GateOptions {
  /**
   * `true` to block the call after its work, before it responds. This simulates a response that arrives late. Default:
   * `false`.
   */
  afterEffect?: boolean;
}

interface ArmedGate extends Gate {
  arrive(): void;
  opened: Promise<void>;
  afterEffect: boolean;
}

interface ArmedFailure {
  primitive: Primitive | '*';
  wait: number;
  left: number;
  afterEffect: boolean;
  error: Error | null;
}

/** Records the calls of the simulated Docker's methods. Blocks a call or makes it fail if a test requested this. */
export class Switchboard {
  readonly calls: Primitive[] = [];
  available = true;
  readonly #gates = new Map<Primitive, ArmedGate[]>();
  #failures: ArmedFailure[] = [];

  async call<T>(primitive: Primitive, signal: AbortSignal | undefined, work: () => T | Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    this.calls.push(primitive);
    const gate = this.#gates.get(primitive)?.shift();
    await holdAt(gate?.afterEffect === false ? gate : undefined, signal);
    this.assertAvailable();
    const failure = this.#due(primitive);
    if (failure !== null && !failure.afterEffect) throw failureError(failure, primitive);
    const result = await work();
    if (gate?.afterEffect === true) await holdAt(gate, signal);
    if (failure !== null) throw failureError(failure, primitive);
    return result;
  }

  assertAvailable(): void {
    if (!this.available)
      throw new EngineUnavailable('Simulated outage: the simulated Docker of this instance does not respond.');
  }

  fail(primitive: Primitive | '*', failure: Failure): void {
    const { at = 1, times = 1, afterEffect = false, error = null } = failure;
    this.#failures.push({ primitive, wait: at - 1, left: times, afterEffect, error });
  }

  clearFailures(): void {
    this.#failures = [];
  }

  gate(primitive: Primitive, { afterEffect = false }: GateOptions = {}): Gate {
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    const handle = { reached: reached.promise, open: opened.resolve };
    const gate = { ...handle, arrive: reached.resolve, opened: opened.promise, afterEffect };
    this.#gates.set(primitive, [...(this.#gates.get(primitive) ?? []), gate]);
    return gate;
  }

  /**
   * Returns the earliest failure that a test requested for this call, or `null`. Counts the call, because a failure can
   * be for a later call.
   */
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

async function holdAt(gate: ArmedGate | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (gate === undefined) return;
  gate.arrive();
  await abortable(gate.opened, signal);
}

function failureError(failure: ArmedFailure, primitive: Primitive): Error {
  return failure.error ?? new EngineRefused(`${primitive}: simulated failure of Docker`);
}

/** Waits for a promise. Rejects with the signal's abort reason if the signal aborts before the promise settles. */
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
