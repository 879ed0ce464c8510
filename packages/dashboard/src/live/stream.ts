/**
 * One stream of what happens, over as many connections as it takes. It asks anew each time, since what is asked changes:
 * positions go on, and apps are followed and left.
 */
import { DavitError, type EventMessage, type LiveMessage } from '@davit/api';
import type { LiveState } from './messages.ts';
import { PACE } from './pace.ts';

/** What one connection tells, in the order in which it is told. */
export interface Hearing {
  signal: AbortSignal;
  /** It was answered. */
  onOpen: () => void;
  /** Something came, if only a sign of life. */
  onBytes: () => void;
  onPosition: (id: string) => void;
}

export interface StreamParts {
  /** Asks what is to be asked now. @throws DavitError when it is refused */
  connect: (hearing: Hearing) => AsyncIterable<LiveMessage<EventMessage>>;
  onPosition: (id: string) => void;
  onMessage: (message: LiveMessage<EventMessage>) => void;
  onState: (state: LiveState) => void;
  /** Whether it is to be asked again; what was wrong may be put right before. */
  onRefused: (error: DavitError) => Promise<'again' | 'later' | 'stop'>;
}

/** Why a connection was broken off by this side. */
type Break = 'asked anew' | 'silent' | 'stopped';

export class Stream {
  readonly #parts: StreamParts;
  #state: LiveState = 'connecting';
  #attempt: AbortController | null = null;
  #isOpen = false;
  /** Of the clock: a laptop that slept has been silent all the while. */
  #heardAt = 0;
  #failures = 0;
  #wake: () => void = () => undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #away: ReturnType<typeof setTimeout> | undefined;
  /** Null: it is stopped. A new one each time, so that a loop that is left behind ends. */
  #turn: object | null = null;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Begins, or tries at once what would be tried later. */
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
    // Whoever begins it again begins.
    this.#state = 'connecting';
    this.#wake();
  }

  /** The question has changed. */
  askAnew(): void {
    if (this.#attempt !== null) this.#attempt.abort('asked anew' satisfies Break);
    else this.#wake();
  }

  /** Whoever it is that asks, it may be somebody else now. */
  renew(): void {
    const isAsking = this.#turn !== null;
    this.start();
    if (isAsking) this.askAnew();
  }

  /** The network changed: a connection that was there may not be any more, and nobody says so. */
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
      // The first time at once: an instance that restarts says goodbye to everybody.
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
        // What was under way when the question changed comes again with the answer to the new one.
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
    // Who has never been live is not away either, but for good.
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
      // It was gone for longer than it may blink.
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
  // Browsers that lost the same instance do not come back in the same moment.
  return longest * (0.5 + Math.random() / 2);
}
