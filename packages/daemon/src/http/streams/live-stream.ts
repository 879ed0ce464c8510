/**
 * One live answer on its way to one reader: server-sent events, pulled from their source as fast as the connection takes
 * them. It holds no timer and no buffer of its own, so that an idle one costs little more than its connection: what has
 * to happen by the clock is done for all of them at once, by the {@link Streams} that calls `tick`.
 */
import type { ServerResponse } from 'node:http';
import { DavitError, isUnavailable, type ResetReason } from '@davit/api';
import { FollowerTooSlow } from '../../streams/bounded-queue.ts';
import type { LiveEvent } from '../../streams/live-event.ts';
import { Interrupted } from '../../workflow/interrupted.ts';
import { publicError } from '../failure.ts';
import { ClientGone } from '../request/body.ts';

/** In milliseconds. */
export interface StreamLimits {
  /** A comment is sent after so much silence, so that nothing in between takes the connection for dead. */
  heartbeatMs: number;
  /** A reader that takes nothing for so long while something waits for it is cut. */
  slowMs: number;
  /** How often rights, silence and readers are looked at. */
  tickMs: number;
  /** A source that fails within this is answered with an ordinary error. */
  firstMs: number;
}

export const STREAM_LIMITS: StreamLimits = { heartbeatMs: 15_000, slowMs: 10_000, tickMs: 1_000, firstMs: 50 };

/** How long a reader should wait before it connects again. */
const RETRY_MS = 2_000;

/** `client_gone`: there is nobody who could be told. */
type CutReason = ResetReason | 'client_gone';

/** Why a stream ends before its source does; the reader gets both halves as its last event. */
export class StreamCut extends Error {
  override name = 'StreamCut';
  readonly reason: CutReason;

  constructor(reason: CutReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const RIGHTS_ENDED =
  'What you are signed in with does not allow this any more, or it is gone: connect again to see what you may.';
const TOO_SLOW = 'You read more slowly than events come: connect again, with what you saw last.';

export interface LiveStreamParts {
  outgoing: ServerResponse;
  source: AsyncIterator<LiveEvent>;
  limits: StreamLimits;
  /** Whether the reader may still have what it asked for; asked before each event. */
  mayRead: () => boolean;
  /** Called once, with why when the source had more to say. */
  onEnd: (why: StreamCut | null) => void;
}

export class LiveStream {
  readonly #parts: LiveStreamParts;
  #ended = false;
  #wroteAt = performance.now();
  /** Since when something waits for the reader; null: nothing does. */
  #waitingSince: number | null = null;

  constructor(parts: LiveStreamParts) {
    this.#parts = parts;
  }

  /** Sends everything of the source, beginning with what was pulled already. */
  async run(status: number, headers: Record<string, string>, first: Promise<IteratorResult<LiveEvent>>): Promise<void> {
    const { outgoing, source, mayRead } = this.#parts;
    outgoing.writeHead(status, headers);
    outgoing.on('drain', () => {
      this.#waitingSince = null;
    });
    this.#write(`retry: ${RETRY_MS}\n\n`);
    try {
      for (let next = first; ; next = source.next()) {
        const { done, value } = await next;
        if (this.#ended) return;
        if (done) return this.#finish(null);
        if (!mayRead()) return this.cut(new StreamCut('rights_ended', RIGHTS_ENDED));
        if (!this.#write(frame(value))) await this.#drained();
        if (this.#ended) return;
      }
    } catch (error) {
      this.cut(error);
    }
  }

  /** Ends it: the last event says why, for whoever still reads. */
  cut(thrown: unknown): void {
    if (this.#ended) return;
    const { outgoing } = this.#parts;
    const why = cutOf(thrown);
    if (!outgoing.destroyed && why.reason !== 'client_gone') {
      outgoing.write(frame({ event: 'reset', data: { reason: why.reason, message: why.message } }));
    }
    this.#finish(why);
  }

  /** Does what is due by the clock. @param now of `performance` */
  tick(now: number): void {
    const { outgoing, limits, mayRead } = this.#parts;
    const silentMs = now - this.#wroteAt;
    if (this.#ended) {
      // What it was told at its end does not reach it either.
      if (silentMs >= limits.slowMs) outgoing.destroy();
    } else if (!mayRead()) this.cut(new StreamCut('rights_ended', RIGHTS_ENDED));
    else if (this.#waitingSince !== null) {
      if (now - this.#waitingSince >= limits.slowMs) this.cut(new StreamCut('slow_reader', TOO_SLOW));
    } else if (silentMs >= limits.heartbeatMs) this.#write(':\n\n');
  }

  #write(text: string): boolean {
    this.#wroteAt = performance.now();
    const took = this.#parts.outgoing.write(text);
    if (!took) this.#waitingSince ??= this.#wroteAt;
    return took;
  }

  #drained(): Promise<void> {
    const { outgoing } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<void>();
    if (!outgoing.writableNeedDrain || outgoing.destroyed) resolve();
    outgoing.once('drain', resolve).once('close', resolve);
    return promise.finally(() => outgoing.off('drain', resolve).off('close', resolve));
  }

  #finish(why: StreamCut | null): void {
    this.#ended = true;
    this.#wroteAt = performance.now();
    const { outgoing, source, onEnd } = this.#parts;
    outgoing.end();
    onEnd(why);
    // A source may still wait for something: it is told, and what it says to that concerns nobody.
    Promise.resolve(source.return?.()).catch(() => undefined);
  }
}

/** One event as it goes over the wire. JSON has no line breaks, so that data is one line; without data there is no event. */
function frame({ id, event, data, json = JSON.stringify(data) }: LiveEvent): string {
  if (event === null) return `id: ${id}\n\n`;
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`;
}

function cutOf(thrown: unknown): StreamCut {
  if (thrown instanceof StreamCut) return thrown;
  if (thrown instanceof ClientGone) return new StreamCut('client_gone', 'The connection was closed.');
  if (thrown instanceof Interrupted) {
    return new StreamCut('stopping', 'The instance is stopping: connect again in a moment, with what you saw last.');
  }
  if (thrown instanceof FollowerTooSlow) return new StreamCut('slow_reader', TOO_SLOW, { cause: thrown });
  const error = thrown instanceof DavitError ? thrown : publicError(thrown);
  const reason = isUnavailable(error) ? 'unavailable' : 'failed';
  return new StreamCut(reason, error.message, { cause: error.code === 'internal' ? error.cause : error });
}
