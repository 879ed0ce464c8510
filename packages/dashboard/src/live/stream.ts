/**
 * Reads an event stream that spans several connections. Each reconnect sends a new request, because the position and
 * the followed apps have changed.
 */
import { DavitError, type EventMessage, type LiveMessage } from '@davit/api';
import type { LiveState } from './messages.ts';
import { PACE } from './pace.ts';

/** Callbacks for one connection of the event stream, called in the order of the received data. */
export interface Hearing {
  signal: AbortSignal;
  /** Called when the server has sent the response headers of the event stream. */
  onOpen: () => void;
  /** Called when the event stream delivers any bytes, including heartbeats. */
  onBytes: () => void;
  onPosition: (id: string) => void;
}

export interface StreamParts {
  /**
   * Opens a connection of the event stream with the current position and followed apps.
   * @throws DavitError if the server refuses the request
   */
  connect: (hearing: Hearing) => AsyncIterable<LiveMessage<EventMessage>>;
  onPosition: (id: string) => void;
  onMessage: (message: LiveMessage<EventMessage>) => void;
  onState: (state: LiveState) => void;
  /**
   * Decides how to continue after the server refused the request. `again` connects immediately, `later` after a delay,
   * and `stop` not at all.
   */
  onRefused: (error: DavitError) => Promise<'again' | 'later' | 'stop'>;
}

/** Why the client aborted the connection of the event stream. */
type Break = 'asked anew' | 'silent' | 'stopped';

export class Stream {
  readonly #parts: StreamParts;
  #state: LiveState = 'connecting';
  #attempt: AbortController | null = null;
  #isOpen = false;
  /**
   * Wall-clock time in milliseconds of the last received bytes. After the computer wakes from sleep, the whole sleep
   * thus counts as silence.
   */
  #heardAt = 0;
  #failures = 0;
  #wake: () => void = () => undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #away: ReturnType<typeof setTimeout> | undefined;
  /**
   * Token of the running connection loop, or `null` if the stream is stopped. Each start creates a new token, and a
   * loop with an old token ends.
   */
  #turn: object | null = null;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Starts the event stream. If the stream waits for the next attempt to connect, the wait ends immediately. */
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
    // After a stop, the next start shows `connecting` as on the first attempt.
    this.#state = 'connecting';
    this.#wake();
  }

  /** Reconnects the event stream with a new request, because the followed apps have changed. */
  askAnew(): void {
    if (this.#attempt !== null) this.#attempt.abort('asked anew' satisfies Break);
    else this.#wake();
  }

  /** Starts or reconnects the event stream after a sign-in, because the user may be a different one. */
  renew(): void {
    const isAsking = this.#turn !== null;
    this.start();
    if (isAsking) this.askAnew();
  }

  /** Reconnects the event stream after a network change. The old connection may be dead without an error. */
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
      // The first reconnect has no delay, because a server that restarts closes all streams and is available again
      // soon.
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
        // Ignores messages after the abort. The new request continues after the last processed message, so the server
        // sends them again.
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
    // A stream that was never connected stays in the state `connecting`, because no connection was lost.
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
      // The silence exceeded the timeout, so the state changes to `away` without the delay for short interruptions.
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
  // A random delay prevents many browsers from reconnecting to a restarted server at the same time.
  return longest * (0.5 + Math.random() / 2);
}
