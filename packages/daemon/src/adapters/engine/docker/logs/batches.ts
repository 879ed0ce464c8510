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

/**
 * Maximum size in bytes of the log lines in the queue for the reader. While the queue is full, the daemon reads no more
 * data from Docker.
 */
const WAITING_BYTES = 256 * 1024;

/**
 * Time in milliseconds without log data after which Davit checks Docker's log file. The first check uses `soon`, later
 * checks use `later`. Docker before version 23 can stop sending log lines after a log rotation.
 */
const SILENT_MS = { soon: 1_000, later: 60_000 };
/**
 * Limits comparisons of received log lines with Docker's log files to one at a time. A comparison can need 16 MiB of
 * memory.
 */
const COMPARISONS = new FewAtOnce(1);
/** Time in milliseconds in which Docker normally delivers a new log line. */
const ON_ITS_WAY_MS = 200;

/**
 * Yields the log of a container, starting at a log position. With `follow`, the iterator continues until the container
 * exits.
 * @throws EngineUnavailable if the connection breaks
 */
export async function* readLogBatches(
  context: DockerContext,
  instances: DockerInstances,
  id: string,
  { after, follow, signal }: LogBatchQuery,
): AsyncGenerator<LogBatch> {
  let position = after;
  try {
    /*
     * `findFacts` returns `null` for a missing container, and throws an error for a container of another Davit
     * instance.
     */
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
    // Ignores errors after an abort. Also ignores status 404 and 409, which mean that the container has no log lines.
    if (!signal.aborted && !isStatus(error, 404, 409)) throw error;
  }
}

/** Reads the log of one container over one connection to Docker. */
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
  /**
   * Second log connection, which reads Docker's log files to find lines that Docker did not send. `null` if no such
   * search is running.
   */
  #files: Reading | null = null;
  /** Whether the caller has stopped reading the log. */
  #isClosed = false;
  /** Whether the log connection was closed because Docker stopped sending new log lines. */
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
   * Yields the log lines that Docker sends. Also yields skipped log lines from Docker's log files.
   * @throws EngineUnavailable if the connection breaks
   * @throws EngineRefused
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
    // If the log connection broke inside a log line, the next connection reads the complete line.
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

  /**
   * Ends the queue of received log lines if the connection has ended. If a search for skipped lines is running, the
   * queue stays open.
   */
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

  /** Yields log lines that Docker has written to its log files, but has not sent to Davit. */
  async *#missing(): AsyncGenerator<LogBatch> {
    using _ = await COMPARISONS.turn();
    if (this.#isClosed) return;
    try {
      yield* this.#recount.missing((after) => this.#wholeLog(after));
    } catch (error) {
      this.#context.log.warn(
        { container: this.#id, error },
        'Docker did not send some log lines of a container, and its log files could not be read',
      );
    }
  }

  /** Yields the log lines after a log position from Docker's log files. */
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

  /** Closes the log connection if Docker's log file contains a newer log line that Docker did not send. */
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
      this.#context.log.warn({ container: this.#id, error }, 'the last line of a container log could not be read');
    }
  }
}

function onAbort(signal: AbortSignal, act: () => void): Disposable {
  signal.addEventListener('abort', act, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', act) };
}
