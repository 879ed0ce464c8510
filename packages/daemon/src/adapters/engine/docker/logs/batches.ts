import { setTimeout as delay } from 'node:timers/promises';
import { FewAtOnce } from '@davit/service/few-at-once';
import { BoundedQueue } from '../../../../streams/bounded-queue.ts';
import { bytesHeld, type LogBatch, type LogBatchQuery } from '../../logs.ts';
import { isStatus } from '../client/errors.ts';
import type { DockerInstances } from '../containers/instances.ts';
import type { DockerContext } from '../context.ts';
import { LogConnection } from './connection.ts';
import { readEnd } from './last-lines.ts';
import { LogParser } from './parser.ts';
import { LogPosition } from './position.ts';
import { Recount } from './recount.ts';

/** Maximum bytes of queued lines. The engine is slowed down while the queue is full. */
const WAITING_BYTES = 256 * 1024;

/**
 * Intervals in milliseconds without data after which the last line in the engine's log is checked. Docker before
 * version 23 can stop sending a followed log forever when the container's log file rotates. The first check is soon
 * after new data, because files rotate when they fill up. Later checks are rare.
 */
const SILENT_MS = { soon: 1_000, later: 60_000 };
/**
 * Limits comparisons with the log files of the engine to one at a time. Each comparison can hold 16 MiB of lines, and
 * many apps can write much at the same time.
 */
const COMPARISONS = new FewAtOnce(1);
/** Time in milliseconds that a new line may need to arrive. */
const ON_ITS_WAY_MS = 200;

/**
 * Yields the log of a container from a position on. With `follow`, the iteration continues until the container exits.
 * @throws EngineUnavailable if the stream breaks; all earlier batches are valid
 */
export async function* readLogBatches(
  context: DockerContext,
  instances: DockerInstances,
  id: string,
  { after, follow, signal }: LogBatchQuery,
): AsyncGenerator<LogBatch> {
  let position = after;
  try {
    // This call refuses containers of other owners.
    if ((await instances.findFacts(id, signal)) === null) return;
    for (let isOver = false; !isOver && !signal.aborted; ) {
      const reading = new Reading(context, id, position, follow);
      using _ = onAbort(signal, () => reading.close());
      try {
        for await (const batch of reading.batches()) {
          ({ position } = batch);
          yield batch;
        }
      } finally {
        reading.close();
      }
      isOver = !reading.fellSilent;
    }
  } catch (error) {
    // A reader ends a followed log with an abort. A container that does not exist has no lines.
    if (!signal.aborted && !isStatus(error, 404, 409)) throw error;
  }
}

/** The log of a container over one connection. */
class Reading {
  readonly #context: DockerContext;
  readonly #id: string;
  readonly #parser: LogParser;
  readonly #connection: LogConnection;
  readonly #waiting = new BoundedQueue<LogBatch>({ limit: WAITING_BYTES, weightOf: bytesHeld });
  #isOver = false;
  #pieces = 0;
  #watch: NodeJS.Timeout | undefined;
  readonly #follow: boolean;
  readonly #recount: Recount;
  #isRecounting = false;
  /** Reader of the engine's log files during a comparison. */
  #files: Reading | null = null;
  /** `true` after the reader has stopped reading. */
  #isClosed = false;
  /** `true` if the connection was closed because the engine has lines that it did not send. */
  fellSilent = false;

  constructor(context: DockerContext, id: string, after: string | null, follow: boolean) {
    this.#context = context;
    this.#id = id;
    this.#follow = follow;
    this.#recount = new Recount(after);
    this.#parser = new LogParser(after);
    const since = LogPosition.since(after);
    const from = since === undefined ? '' : `&since=${since}`;
    const path = `/containers/${id}/logs?stdout=true&stderr=true&timestamps=true&follow=${follow}${from}`;
    const onBytes = (bytes: Buffer) => this.#take(this.#parser.push(bytes));
    this.#connection = new LogConnection({ address: context.client.address, path, onBytes });
    if (follow) this.#watchIn(SILENT_MS.soon);
  }

  /**
   * Yields the lines of the connection and the lines that the engine failed to send.
   * @throws EngineUnavailable if the connection breaks
   * @throws EngineRefused with the text of the engine
   */
  async *batches(): AsyncGenerator<LogBatch> {
    const over = this.#connection.over.finally(() => {
      this.#isOver = true;
      this.#endIfOver();
    });
    over.catch(() => undefined);
    for await (const batch of this.#waiting) {
      this.#resume();
      yield batch;
    }
    await over;
    // A line that was cut off is not used here: the next connection reads the complete line.
    const last = this.fellSilent ? null : this.#parser.end();
    if (last !== null) yield last;
    if (!this.#follow || this.#isClosed || !this.#recount.isWorthIt) return;
    yield* this.#missing();
  }

  close(): void {
    this.#isClosed = true;
    this.#files?.close();
    this.#waiting.end();
    this.#cut();
  }

  #cut(): void {
    clearTimeout(this.#watch);
    this.#connection.close();
  }

  #take(batch: LogBatch | null): boolean {
    this.#pieces += 1;
    if (batch === null) return true;
    void this.#waiting.push(batch);
    if (this.#follow) this.#recount.add(batch);
    if (this.#recount.isDue && !this.#isRecounting) void this.#bringMissing();
    return !this.#isHeldBack;
  }

  get #isHeldBack(): boolean {
    return this.#waiting.isFull || (this.#isRecounting && this.#recount.isFull);
  }

  #resume(): void {
    if (this.#waiting.size === 0 && !this.#isHeldBack) this.#connection.resume();
  }

  /** Ends the queue if the connection has ended and no comparison is in progress. */
  #endIfOver(): void {
    if (this.#isOver && !this.#isRecounting) this.#waiting.end();
  }

  async #bringMissing(): Promise<void> {
    this.#isRecounting = true;
    for await (const missing of this.#missing()) {
      await this.#waiting.push(missing);
    }
    this.#isRecounting = false;
    this.#resume();
    this.#endIfOver();
  }

  /** Yields the lines that the engine has in its files and did not send. */
  async *#missing(): AsyncGenerator<LogBatch> {
    using _ = await COMPARISONS.turn();
    if (this.#isClosed) return;
    try {
      yield* this.#recount.missing((after) => this.#wholeLog(after));
    } catch (error) {
      this.#context.log.warn({ container: this.#id, error }, 'log could not be compared with the files of the engine');
    }
  }

  /** Yields the lines in the engine's files after a position. */
  async *#wholeLog(after: string | null): AsyncGenerator<LogBatch> {
    const files = new Reading(this.#context, this.#id, after, false);
    this.#files = files;
    try {
      yield* files.batches();
    } finally {
      files.close();
    }
  }

  #watchIn(ms: number): void {
    const pieces = this.#pieces;
    this.#watch = setTimeout(() => {
      if (this.#pieces !== pieces) this.#watchIn(SILENT_MS.soon);
      else void this.#fellQuiet(pieces).then(() => this.#isOver || this.fellSilent || this.#watchIn(SILENT_MS.later));
    }, ms).unref();
  }

  async #fellQuiet(pieces: number): Promise<void> {
    await this.#lookForMore(pieces);
    if (this.fellSilent || this.#isOver || this.#isRecounting || !this.#recount.isWorthIt) return;
    await this.#bringMissing();
  }

  /** Closes the connection if the engine has a line that it did not send. */
  async #lookForMore(pieces: number): Promise<void> {
    try {
      const last = new LogParser(null);
      await readEnd(this.#context, this.#id, 1, last);
      if (!this.#parser.isBehind(last)) return;
      await delay(ON_ITS_WAY_MS, undefined, { ref: false });
      if (this.#pieces !== pieces || this.#isOver) return;
      this.fellSilent = true;
      this.#cut();
    } catch (error) {
      this.#context.log.warn({ container: this.#id, error }, 'end of a log could not be read');
    }
  }
}

function onAbort(signal: AbortSignal, act: () => void): Disposable {
  signal.addEventListener('abort', act, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', act) };
}
