/**
 * Copies data between a WebSocket of the instance and the streams of the CLI. Binary messages contain input and output.
 * Text messages contain JSON, such as `{"exit": 0}`.
 */
import type { Readable, Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import { CliError } from '../errors/exit.ts';
import { deferred } from '../process/deferred.ts';
import type { Runtime } from '../process/runtime.ts';
import { NORMAL, whyClosed } from './closed.ts';

/**
 * Time in milliseconds after which a WebSocket without incoming data is treated as lost. The instance sends a ping
 * every 30 seconds.
 */
const SILENCE_MS = 75_000;

/** Interval in milliseconds at which the CLI checks whether the WebSocket is lost. */
const TICK_MS = 5_000;

/**
 * Closes a WebSocket if the instance sends no data for too long. Also keeps a paused WebSocket open, because the
 * instance would close it.
 * @returns a function that stops the checks
 */
export function watchConnection(socket: WebSocket): () => void {
  let receivedAt = performance.now();
  const onReceived = () => {
    receivedAt = performance.now();
  };
  socket.on('ping', onReceived).on('message', onReceived);
  const timer = setInterval(() => {
    if (socket.isPaused && socket.readyState === socket.OPEN) {
      // A paused WebSocket does not reply to pings. Without this pong, the instance would close the WebSocket.
      onReceived();
      socket.pong();
    } else if (performance.now() - receivedAt > SILENCE_MS) socket.terminate();
  }, TICK_MS);
  return () => clearInterval(timer);
}

/** Local source of a shell's input, such as a terminal or a pipe. */
export interface LocalSide {
  /** @param fail function that ends the shell with an error if the input cannot be read */
  begin(fail: (error: CliError) => void): void;
  end(): void;
}

/**
 * Connects a remote program with the local input. Ends when the program ends, the connection is lost, or the user
 * cancels.
 * @returns the exit code of the program
 * @throws CliError if the connection is lost before the program ends
 */
export async function talk(
  socket: WebSocket,
  side: LocalSide,
  { stdout, stderr }: Pick<Runtime, 'stdout' | 'stderr'>,
  signal: AbortSignal,
): Promise<number> {
  let exit: number | null = null;
  const show = (output: Writable, text: string | Buffer) => {
    if (!output.write(text)) pauseUntilDrained(socket, output);
  };
  const onAbort = () => socket.close(NORMAL);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) return show(stdout, data);
    const said = messageIn(data);
    if (typeof said.exit === 'number') exit = said.exit;
    if (typeof said.stderr === 'string') show(stderr, said.stderr);
  });
  const ended = deferred<{ code: number; reason: string }>();
  socket.once('close', (code, reason) => ended.resolve({ code, reason: String(reason) }));
  socket.on('error', () => undefined);
  const fail = (error: CliError) => {
    ended.reject(error);
    socket.terminate();
  };
  const unwatch = watchConnection(socket);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    side.begin(fail);
    socket.resume();
    const { code, reason } = await ended.promise;
    if (code === NORMAL && exit !== null) return exit;
    throw whyClosed(code, reason, signal);
  } finally {
    unwatch();
    signal.removeEventListener('abort', onAbort);
    side.end();
  }
}

/** Returns an object that sends a pipe or a file as input, but only as fast as the remote program reads. */
export function pipeSide(socket: WebSocket, { stdin }: Pick<Runtime, 'stdin'>): LocalSide {
  let stop: (() => void) | undefined;
  return {
    begin(fail) {
      stdin.once('error', (cause) => fail(new CliError('failed', 'The input cannot be read.', { cause })));
      stop = sendStream(socket, stdin);
    },
    end: () => stop?.(),
  };
}

/** Maximum size of a sent message in bytes. The instance refuses messages with more than 1 MiB. */
const MOST_BYTES = 256 * 1024;

/**
 * Sends the data of a stream in several messages, and then a message that marks the end of the data. The next chunk is
 * read only after the previous chunk was sent, so that memory use stays low.
 * @returns a function that stops reading
 */
export function sendStream(socket: WebSocket, stream: Readable): () => void {
  let [isSending, isAtEnd, isOver] = [false, false, false];
  const sendEnd = () => socket.send(JSON.stringify({ end: true }));
  const onSent = () => {
    isSending = false;
    if (isOver) return;
    if (isAtEnd) sendEnd();
    else stream.resume();
  };
  const onData = (bytes: Buffer) => {
    stream.pause();
    isSending = true;
    sendPieces(socket, bytes, onSent);
  };
  const onEnd = () => {
    isAtEnd = true;
    // The stream can end before its last chunk has been sent. The end message must follow this chunk.
    if (!isSending) sendEnd();
  };
  stream.on('data', onData).once('end', onEnd).resume();
  return () => {
    isOver = true;
    stream.off('data', onData).off('end', onEnd).pause();
  };
}

function sendPieces(socket: WebSocket, bytes: Buffer, onSent: () => void): void {
  const rest = bytes.subarray(MOST_BYTES);
  const onTaken = () => (rest.length === 0 ? onSent() : sendPieces(socket, rest, onSent));
  socket.send(bytes.subarray(0, MOST_BYTES), { binary: true }, onTaken);
}

function pauseUntilDrained(socket: WebSocket, output: Writable): void {
  socket.pause();
  output.once('drain', () => socket.resume());
}

/**
 * Parses a text message of the instance. Returns an object without fields for an unknown message, because a newer
 * instance may send other messages.
 */
export function messageIn(data: Buffer): { exit?: unknown; stderr?: unknown; end?: unknown } {
  try {
    return (JSON.parse(data.toString()) as { exit?: unknown; stderr?: unknown } | null) ?? {};
  } catch {
    return {};
  }
}
