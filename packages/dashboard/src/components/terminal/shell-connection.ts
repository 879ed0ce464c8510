/**
 * WebSocket connection of a terminal in a container. Binary messages contain input and output, and text messages
 * contain JSON. The session cookie authenticates the connection.
 */
import type { AppPath } from '../../paths.ts';

export interface ShellRequest {
  /** Name of the replica in which the shell starts, or `null` for the first running replica. */
  replica: string | null;
  command: readonly string[];
}

export interface Size {
  columns: number;
  rows: number;
}

export type ShellEnd =
  | { kind: 'exit'; code: number }
  /** The server refused to start the shell. `message` contains the reason. */
  | { kind: 'refused'; message: string }
  /** The WebSocket connection was lost. The loss of the connection also ends the process in the container. */
  | { kind: 'lost'; message: string };

export interface ShellListener {
  onOpen: () => void;
  onBytes: (bytes: Uint8Array) => void;
  onEnd: (end: ShellEnd) => void;
}

const NORMAL = 1_000;
const GOING_AWAY = 1_001;
/** Maximum number of terminal rows and columns that the server accepts. */
const MOST_SIDE = 1_000;

const within = (side: number) => Math.max(1, Math.min(Math.floor(side), MOST_SIDE));

/** Returns the path and query string of the WebSocket URL that starts a shell. */
export function shellAddress(path: AppPath, { replica, command }: ShellRequest, { columns, rows }: Size): string {
  const query = new URLSearchParams({
    columns: String(within(columns)),
    rows: String(within(rows)),
    command: JSON.stringify(command),
    refusal: 'message',
  });
  if (replica !== null) query.set('replica', replica);
  const app = [path.project, path.environment, path.app].map(encodeURIComponent).join('/');
  return `/api/apps/${app}/shell?${query}`;
}

/**
 * Parses a text message from the WebSocket of a shell. Returns `null` for an unknown message, because a newer server
 * may send other messages.
 */
export function parseShellEnd(text: string): ShellEnd | null {
  try {
    const message = JSON.parse(text) as { exit?: unknown; refused?: { message?: unknown } };
    if (typeof message.exit === 'number') return { kind: 'exit', code: message.exit };
    return typeof message.refused?.message === 'string' ? { kind: 'refused', message: message.refused.message } : null;
  } catch {
    // The text is not JSON. Return `null`, so that the caller ignores the message.
    return null;
  }
}

/**
 * Returns the reason why the shell ended. Use this function if the server closed the WebSocket without a message about
 * the reason.
 * @param isOpen whether the shell had started
 */
export function endOf(code: number, reason: string, isOpen: boolean): ShellEnd {
  if (!isOpen) {
    const message = 'Cannot open the shell: the instance does not respond, or your session has expired.';
    return { kind: 'lost', message };
  }
  if (code === NORMAL) return { kind: 'lost', message: 'The program ended. Its exit code is unknown.' };
  if (reason !== '') return { kind: 'lost', message: reason };
  if (code === GOING_AWAY)
    return { kind: 'lost', message: 'The instance is stopping. Connect again after its next start.' };
  return { kind: 'lost', message: 'The connection was interrupted, and the program in the terminal was stopped.' };
}

export class ShellConnection {
  readonly #socket: WebSocket;
  #reportedEnd: ShellEnd | null = null;
  #isOpen = false;
  #isLeft = false;

  constructor(path: AppPath, request: ShellRequest, size: Size, listener: ShellListener) {
    const address = new URL(shellAddress(path, request, size), window.location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    this.#socket = new WebSocket(address);
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.onopen = () => {
      this.#isOpen = true;
    };
    this.#socket.onmessage = ({ data }) => {
      if (typeof data === 'string') this.#reportedEnd = parseShellEnd(data) ?? this.#reportedEnd;
      else this.#take(new Uint8Array(data as ArrayBuffer), listener);
    };
    this.#socket.onclose = ({ code, reason }) => {
      if (!this.#isLeft) listener.onEnd(this.#reportedEnd ?? endOf(code, reason, this.#isOpen));
    };
  }

  #isOpenReported = false;

  #take(bytes: Uint8Array, listener: ShellListener): void {
    // Report the shell as running only after its first output, because the WebSocket opens before the shell starts.
    if (!this.#isOpenReported) listener.onOpen();
    this.#isOpenReported = true;
    listener.onBytes(bytes);
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }

  resize({ columns, rows }: Size): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ resize: { columns: within(columns), rows: within(rows) } }));
  }

  /** Closes the WebSocket. This also ends the process in the container. */
  leave(): void {
    this.#isLeft = true;
    this.#socket.close(NORMAL);
  }
}
