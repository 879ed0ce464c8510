import { EngineRefused, EngineUnavailable } from '../errors.ts';

/** Method names of the simulated Docker. For each method, a test can count calls, block a call, or make a call fail. */
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
  /** Number of the first call that fails. 1 is the next call of the method, 2 is the call after that. Default: 1. */
  at?: number;
  /** Number of consecutive calls that fail. Default: 1. */
  times?: number;
  /**
   * `true` if the call does its work before it fails. This simulates a Docker crash after the work, but before the
   * response.
   */
  afterEffect?: boolean;
  error?: Error;
}

/**
 * Object with which a test blocks one method call of the simulated Docker and later lets it continue. Tests use this to
 * control the order of concurrent calls.
 */
export interface Gate {
  /**
   * Resolves when the tested code has called the blocked method. The method call then waits until the test calls
   * `open`.
   */
  reached: Promise<void>;
  open(): void;
}

export interface GateOptions {
  /**
   * `true` to block the call after its work but before its response. This simulates a late response. Default: `false`.
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

/** Records the method calls of the simulated Docker. Blocks a call or makes a call fail if a test requested this. */
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
   * Returns the first failure that a test requested for this call, or `null`. Also decrements the remaining number of
   * calls of each failure that is meant for a later call.
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

/** Waits for a promise to settle. If the signal aborts first, rejects with the abort reason. */
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
