/**
 * Reads events from the server over consecutive connections. Each reconnect sends a new request, because the position
 * in the event stream and the shown logs have changed.
 */
import { DavitError, type EventMessage, type LiveMessage } from '@davit/api';
import type { LiveState } from './messages.ts';
import { PACE } from './pace.ts';

/**
 * Abort signal and callbacks for a connection of the event stream. The callbacks are listed in the order in which they
 * are called.
 */
export interface Hearing {
  signal: AbortSignal;
  /** Called when the response headers of the event stream arrive. */
  onOpen: () => void;
  /** Called when bytes of the event stream arrive, including heartbeats. */
  onBytes: () => void;
  onPosition: (id: string) => void;
}

export interface StreamParts {
  /**
   * Opens the event stream at the current position, including the logs that the tabs show.
   * @throws DavitError if the server refuses the request
   */
  connect: (hearing: Hearing) => AsyncIterable<LiveMessage<EventMessage>>;
  onPosition: (id: string) => void;
  onMessage: (message: LiveMessage<EventMessage>) => void;
  onState: (state: LiveState) => void;
  /**
   * Decides what happens after the server has refused the event stream. `again` connects immediately, `later` connects
   * after a delay, and `stop` never connects again.
   */
  onRefused: (error: DavitError) => Promise<'again' | 'later' | 'stop'>;
}

/** Reason why the client aborted the connection of the event stream. */
type Break = 'asked anew' | 'silent' | 'stopped';

export class Stream {
  readonly #parts: StreamParts;
  #state: LiveState = 'connecting';
  #attempt: AbortController | null = null;
  #isOpen = false;
  /**
   * Time of the last received bytes in milliseconds. The time comes from `Date.now()`, because this clock also runs
   * while the computer sleeps.
   */
  #receivedAt = 0;
  #failures = 0;
  #wake: () => void = () => undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #away: ReturnType<typeof setTimeout> | undefined;
  /**
   * Object that identifies the current connection loop. `null` while the event stream is stopped. A connection loop
   * ends when a new start has replaced this object.
   */
  #turn: object | null = null;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Starts the event stream. If the event stream waits before its next connection attempt, it connects immediately. */
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
    /*
     * Set the state to `connecting`. Otherwise, the page would report a lost connection at the next start of the event
     * stream.
     */
    this.#state = 'connecting';
    this.#wake();
  }

  /** Reconnects the event stream with a new request, because the browser tabs now show the logs of other apps. */
  askAnew(): void {
    if (this.#attempt !== null) this.#attempt.abort('asked anew' satisfies Break);
    else this.#wake();
  }

  /** Starts or reconnects the event stream after a sign-in, because another user may have signed in. */
  renew(): void {
    const isRunning = this.#turn !== null;
    this.start();
    if (isRunning) this.askAnew();
  }

  /** Reconnects the event stream after a network change, because the connection may be dead without an error. */
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
      // Retry the first time without a delay, because a server that restarts closes all event streams only briefly.
      await this.#pause(this.#failures === 0 ? 0 : backoff(this.#failures));
      this.#failures += 1;
    }
  }

  async #connect(attempt: AbortController): Promise<'again' | 'later' | 'stop'> {
    const { signal } = attempt;
    this.#receivedAt = Date.now();
    const hearing: Hearing = {
      signal,
      onOpen: () => this.#opened(signal),
      onBytes: () => {
        this.#receivedAt = Date.now();
      },
      onPosition: (id) => {
        if (!signal.aborted) this.#parts.onPosition(id);
      },
    };
    try {
      for await (const message of this.#parts.connect(hearing)) {
        // Process no more messages after an abort. The server sends these messages again on the next connection.
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
    this.#receivedAt = Date.now();
    clearTimeout(this.#away);
    this.#away = undefined;
    this.#is('live');
  }

  #is(state: LiveState): void {
    // If the event stream was never connected, keep the state `connecting`, because no connection was lost.
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
    const silentMs = Date.now() - this.#receivedAt;
    if (this.#attempt !== null && silentMs > (this.#isOpen ? PACE.silentMs : PACE.openMs)) {
      // The server has sent nothing for too long. Show immediately that the event stream is disconnected (`away`).
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
  // Use a random delay, so that many browsers do not reconnect at the same time after a restart of the server.
  return longest * (0.5 + Math.random() / 2);
}
