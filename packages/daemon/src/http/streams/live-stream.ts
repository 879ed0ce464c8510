/**
 * Sends an event stream (server-sent events) to one client, as fast as the client reads. The stream has no buffer and
 * no timer, so an idle stream needs few resources.
 */
import type { ServerResponse } from 'node:http';
import { DavitError, isUnavailable, type ResetReason } from '@davit/api';
import { FollowerTooSlow } from '../../streams/bounded-queue.ts';
import type { LiveEvent } from '../../streams/live-event.ts';
import { Interrupted } from '../../workflow/interrupted.ts';
import { publicError } from '../failure.ts';
import { ClientGone } from '../request/body.ts';

/** Time limits of an event stream in milliseconds. */
export interface StreamLimits {
  /**
   * Time without events after which the server sends a comment line. Otherwise, a proxy could close an idle connection.
   */
  heartbeatMs: number;
  /** Time in milliseconds after which a client that accepts no data is disconnected. */
  slowMs: number;
  /** Interval in milliseconds at which streams are checked for lost permissions, slow clients and due heartbeats. */
  tickMs: number;
  /**
   * Maximum time to wait for the first event before the response starts. If the source of events fails within this
   * time, the client gets a normal HTTP error.
   */
  firstMs: number;
}

export const STREAM_LIMITS: StreamLimits = { heartbeatMs: 15_000, slowMs: 10_000, tickMs: 1_000, firstMs: 50 };

/** Time in milliseconds that a client should wait before it connects again. */
const RETRY_MS = 2_000;

/** Reason why an event stream ended early. `client_gone` means that the client has disconnected. */
type CutReason = ResetReason | 'client_gone';

/** Error that ends an event stream early. The client gets the reason and the message as the last event. */
export class StreamCut extends Error {
  override name = 'StreamCut';
  readonly reason: CutReason;

  constructor(reason: CutReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const RIGHTS_ENDED =
  'You no longer have access to this event stream, or the resource that it shows was deleted. Connect again to see the reason.';
const TOO_SLOW = 'The client read more slowly than events were sent. Connect again with the header “Last-Event-ID”.';

export interface LiveStreamParts {
  outgoing: ServerResponse;
  source: AsyncIterator<LiveEvent>;
  limits: StreamLimits;
  /** Returns whether the caller still has the permissions for the event stream. Called before each event. */
  mayRead: () => boolean;
  /**
   * Called once when the event stream ends. The argument is the reason if the stream ended early. The argument is
   * `null` if the source had no more events.
   */
  onEnd: (why: StreamCut | null) => void;
}

export class LiveStream {
  readonly #parts: LiveStreamParts;
  #ended = false;
  #wroteAt = performance.now();
  /** Time at which the client stopped accepting data, or `null` if it accepts data now. */
  #waitingSince: number | null = null;

  constructor(parts: LiveStreamParts) {
    this.#parts = parts;
  }

  /**
   * Sends all events of the source to the client.
   * @param first result of the first `source.next()` call, which the caller has already made
   */
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

  /** Ends the event stream early. The last event contains the reason for the client. */
  cut(thrown: unknown): void {
    if (this.#ended) return;
    const { outgoing } = this.#parts;
    const why = cutOf(thrown);
    if (!outgoing.destroyed && why.reason !== 'client_gone') {
      outgoing.write(frame({ event: 'reset', data: { reason: why.reason, message: why.message } }));
    }
    this.#finish(why);
  }

  /**
   * Ends the event stream if the caller has lost permissions or reads too slowly. Sends a heartbeat if the stream is
   * idle.
   * @param now time from `performance.now()`
   */
  tick(now: number): void {
    const { outgoing, limits, mayRead } = this.#parts;
    const silentMs = now - this.#wroteAt;
    if (this.#ended) {
      /*
       * The event stream has ended, and the client did not accept the last data in time. The connection is therefore
       * closed.
       */
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
    /*
     * Stops the event source, which may still be waiting. Errors of the event source are ignored, because the event
     * stream has ended.
     */
    Promise.resolve(source.return?.()).catch(() => undefined);
  }
}

/**
 * Formats one server-sent event. An event without a type has only an id. When the client reconnects, it sends this id
 * in `Last-Event-ID`.
 */
function frame({ id, event, data, json = JSON.stringify(data) }: LiveEvent): string {
  if (event === null) return `id: ${id}\n\n`;
  /*
   * JSON text contains no line breaks, so one `data` line is enough. In a server-sent event, a line break ends the
   * field.
   */
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`;
}

function cutOf(thrown: unknown): StreamCut {
  if (thrown instanceof StreamCut) return thrown;
  if (thrown instanceof ClientGone) return new StreamCut('client_gone', 'The connection was closed.');
  if (thrown instanceof Interrupted) {
    return new StreamCut(
      'stopping',
      'The instance is stopping. After its next start, connect again with the header “Last-Event-ID”.',
    );
  }
  if (thrown instanceof FollowerTooSlow) return new StreamCut('slow_reader', TOO_SLOW, { cause: thrown });
  const error = thrown instanceof DavitError ? thrown : publicError(thrown);
  const reason = isUnavailable(error) ? 'unavailable' : 'failed';
  return new StreamCut(reason, error.message, { cause: error.code === 'internal' ? error.cause : error });
}
