/**
 * Reads one event stream over as many connections as necessary. Each connection makes a new request, because the
 * positions advance and the followed apps change.
 */
import { DavitError, type EventMessage, type LiveMessage } from '@davit/api';
import type { LiveState } from './messages.ts';
import { PACE } from './pace.ts';

/** Callbacks of one connection, called in the order of the data. */
export interface Hearing {
  signal: AbortSignal;
  /** Called when the server has answered. */
  onOpen: () => void;
  /** Called when any bytes arrive, heartbeats included. */
  onBytes: () => void;
  onPosition: (id: string) => void;
}

export interface StreamParts {
  /**
   * Opens a connection with the current request.
   * @throws DavitError if the instance refuses the request
   */
  connect: (hearing: Hearing) => AsyncIterable<LiveMessage<EventMessage>>;
  onPosition: (id: string) => void;
  onMessage: (message: LiveMessage<EventMessage>) => void;
  onState: (state: LiveState) => void;
  /** Decides how to continue after a refusal: connect at once (`again`), connect after a delay (`later`), or stop. */
  onRefused: (error: DavitError) => Promise<'again' | 'later' | 'stop'>;
}

/** Reason why this side aborted a connection. */
type Break = 'asked anew' | 'silent' | 'stopped';

export class Stream {
  readonly #parts: StreamParts;
  #state: LiveState = 'connecting';
  #attempt: AbortController | null = null;
  #isOpen = false;
  /** Wall-clock time of the last bytes. After a laptop has slept, the whole sleep counts as silence. */
  #heardAt = 0;
  #failures = 0;
  #wake: () => void = () => undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #away: ReturnType<typeof setTimeout> | undefined;
  /**
   * Token of the running loop, or `null` if the stream is stopped. Each start creates a new token, so that an older
   * loop ends.
   */
  #turn: object | null = null;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Starts the stream, or skips the wait before the next attempt. */
  start(): void {
    this.#failures = 0;
    this.#wake();
    if (this.#turn !== null) return;
    this.#turn = {};
    this.#timer = setInterval(() => this.#tick(), PACE.tickMs);
    void this.#run(this.#turn);
  }

  stop(): void {
    this.#turn = null;
    clearInterval(this.#timer);
    clearTimeout(this.#away);
    this.#away = undefined;
    this.#attempt?.abort('stopped' satisfies Break);
    this.#attempt = null;
    // The next start is a first attempt again.
    this.#state = 'connecting';
    this.#wake();
  }

  /** Aborts the connection and connects with the changed request. */
  askAnew(): void {
    if (this.#attempt !== null) this.#attempt.abort('asked anew' satisfies Break);
    else this.#wake();
  }

  /** Connects again, because the signed-in user may have changed. */
  renew(): void {
    const isAsking = this.#turn !== null;
    this.start();
    if (isAsking) this.askAnew();
  }

  /** Aborts the connection after a network change. An old connection may be dead without any error. */
  doubt(): void {
    this.#failures = 0;
    this.#attempt?.abort('silent' satisfies Break);
    this.#wake();
  }

  async #run(turn: object): Promise<void> {
    while (this.#turn === turn) {
      const attempt = new AbortController();
      this.#attempt = attempt;
      this.#isOpen = false;
      const next = await this.#connect(attempt);
      if (this.#turn !== turn) return;
      this.#attempt = null;
      this.#isOpen = false;
      if (next === 'stop') {
        this.stop();
        this.#is('away');
        return;
      }
      if (attempt.signal.reason === 'asked anew' || next === 'again') continue;
      this.#awayUnlessBack();
      // The first retry has no delay, because an instance that restarts closes all streams in an orderly way.
      await this.#pause(this.#failures === 0 ? 0 : backoff(this.#failures));
      this.#failures += 1;
    }
  }

  async #connect(attempt: AbortController): Promise<'again' | 'later' | 'stop'> {
    const { signal } = attempt;
    this.#heardAt = Date.now();
    const hearing: Hearing = {
      signal,
      onOpen: () => this.#opened(signal),
      onBytes: () => {
        this.#heardAt = Date.now();
      },
      onPosition: (id) => {
        if (!signal.aborted) this.#parts.onPosition(id);
      },
    };
    try {
      for await (const message of this.#parts.connect(hearing)) {
        // The answer to the new request repeats the messages that were in transit when the request changed.
        if (signal.aborted) break;
        this.#parts.onMessage(message);
      }
      return 'later';
    } catch (error) {
      if (signal.aborted || !(error instanceof DavitError) || error.retryable) return 'later';
      const next = await this.#parts.onRefused(error);
      if (next === 'later') this.#failures = Math.max(this.#failures, 1);
      return next;
    }
  }

  #opened(signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#isOpen = true;
    this.#failures = 0;
    this.#heardAt = Date.now();
    clearTimeout(this.#away);
    this.#away = undefined;
    this.#is('live');
  }

  #is(state: LiveState): void {
    // A stream that was never live stays in the state `connecting` until it is stopped.
    const next = state === 'away' && this.#state === 'connecting' && this.#turn !== null ? 'connecting' : state;
    if (next === this.#state) return;
    this.#state = next;
    this.#parts.onState(next);
  }

  #awayUnlessBack(): void {
    if (this.#failures > 0) this.#is('away');
    else this.#away ??= setTimeout(() => this.#is('away'), PACE.blinkMs);
  }

  #tick(): void {
    const silentMs = Date.now() - this.#heardAt;
    if (this.#attempt !== null && silentMs > (this.#isOpen ? PACE.silentMs : PACE.openMs)) {
      // The connection was silent for longer than a short interruption may last.
      this.#failures = Math.max(this.#failures, 1);
      this.#is('away');
      this.#attempt.abort('silent' satisfies Break);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function backoff(failures: number): number {
  const longest = Math.min(PACE.retryMs * 2 ** (failures - 1), PACE.longestRetryMs);
  // A random delay prevents all browsers from reconnecting to a lost instance in the same moment.
  return longest * (0.5 + Math.random() / 2);
}
