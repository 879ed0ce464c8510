import type { InstanceSettings } from '@davit/api';
import { ALREADY_SENT } from '@davit/service';
import type { AuthenticationParts } from '../../auth/actor.ts';
import type { LiveEvent, Reply } from '../bind.ts';
import type { Exchange } from '../exchange.ts';
import { ClientGone } from '../request/body.ts';
import { headersOf } from '../respond.ts';
import { Rights } from '../rights.ts';
import type { Waits } from '../waits.ts';
import { ConnectionSlots } from './connection-slots.ts';
import { LiveStream, STREAM_LIMITS, StreamCut, type StreamLimits } from './live-stream.ts';

export interface StreamParts extends AuthenticationParts {
  waits: Waits;
  settings: () => InstanceSettings;
}

/** Reply of a handler that responds with an event stream. */
export type LiveReply = Reply & { events: NonNullable<Reply['events']> };

const HEADERS = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };

interface Open {
  stream: LiveStream;
  rights: Rights;
}

/** Manages all open event streams. Limits the number of streams per user, and checks all streams with one timer. */
export class Streams implements Disposable {
  readonly #parts: StreamParts;
  readonly #limits: StreamLimits;
  readonly #open = new Set<Open>();
  readonly #slots: ConnectionSlots;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: StreamParts, limits: StreamLimits = STREAM_LIMITS) {
    this.#parts = parts;
    this.#limits = limits;
    this.#slots = new ConnectionSlots('streams', { ofUser: () => parts.settings().api.streams_per_user });
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Starts an event stream. The stream continues after this method has returned.
   * @throws DavitError too_many_requests, or the error of an event source that fails immediately
   */
  async answer(reply: LiveReply, exchange: Exchange): Promise<Response> {
    const headers = { ...headersOf(exchange), ...HEADERS, ...reply.headers };
    if (exchange.method === 'HEAD') return new Response(null, { status: reply.status, headers });
    const release = this.#slots.take(exchange.signedIn.actor.userId);
    const { outgoing } = exchange;
    outgoing.once('close', release);
    let source: AsyncIterator<LiveEvent> | undefined;
    try {
      source = reply.events(this.#parts.waits.signal(outgoing))[Symbol.asyncIterator]();
      const first = source.next();
      await settledWithin(first, this.#limits.firstMs);
      if (outgoing.destroyed) throw new ClientGone();
      this.#begin(reply, headers, { source, first }, exchange);
    } catch (error) {
      outgoing.off('close', release);
      release();
      // Ends the event source, because no client will receive its events. The source may have started already.
      source?.return?.().catch(() => undefined);
      throw error;
    }
    return ALREADY_SENT;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #begin(
    { status, heartbeatMs = this.#limits.heartbeatMs }: LiveReply,
    headers: Record<string, string>,
    { source, first }: { source: AsyncIterator<LiveEvent>; first: Promise<IteratorResult<LiveEvent>> },
    exchange: Exchange,
  ): void {
    const { outgoing, requestId } = exchange;
    const { waits, store } = this.#parts;
    const signal = waits.signal(outgoing);
    const rights = new Rights(this.#parts, exchange);
    const stream = new LiveStream({
      outgoing,
      source,
      limits: { ...this.#limits, heartbeatMs },
      mayRead: () => rights.hold(),
      onEnd: (why) => {
        this.#record(requestId, why);
        // The signal of the request is aborted, because some event sources end only after this signal is aborted.
        waits.end(outgoing, why ?? new StreamCut('client_gone', 'The stream has ended.'));
      },
    });
    const open: Open = { stream, rights };
    this.#open.add(open);
    outgoing.once('close', () => {
      this.#open.delete(open);
      if (this.#open.size === 0) this.#timer = void clearInterval(this.#timer);
    });
    signal.addEventListener('abort', () => stream.cut(signal.reason), { once: true });
    // The timer checks all event streams. It must therefore not run in the async context of the current request.
    this.#timer ??= store.trail.apart(() => setInterval(() => this.#tick(), this.#limits.tickMs));
    void store.trail.apart(() => stream.run(status, headers, first));
    if (signal.aborted) stream.cut(signal.reason);
  }

  #tick(): void {
    const now = performance.now();
    for (const { stream, rights } of this.#open) {
      rights.doubt();
      stream.tick(now);
    }
  }

  #record(requestId: string, why: StreamCut | null): void {
    const { log } = this.#parts;
    const fields = { requestId, reason: why?.reason ?? 'ended' };
    if (why?.reason === 'failed') log.error({ ...fields, error: why.cause }, 'event stream was interrupted');
    else if (why?.reason === 'slow_reader') log.warn(fields, 'event stream was interrupted');
    else log.debug(fields, 'event stream ended');
  }
}

/**
 * Waits until a promise settles, at most `ms` milliseconds.
 * @throws the promise's error if it rejects within this time
 */
async function settledWithin(promise: Promise<unknown>, ms: number): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
