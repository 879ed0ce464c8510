/**
 * The WebSocket of a shell: binary messages are the terminal's bytes in both directions, text is JSON. It is the one thing
 * that the typed client cannot ask for; a browser's socket carries the session by itself.
 */
import type { AppPath } from '../../paths.ts';

export interface ShellAsk {
  /** The name of an instance; null: the first that runs. */
  instance: string | null;
  /** A program with its arguments. */
  command: readonly string[];
}

export interface Size {
  columns: number;
  rows: number;
}

/** How it came to its end. */
export type ShellEnd =
  | { kind: 'exit'; code: number }
  /** It was not opened: the server's sentence. */
  | { kind: 'refused'; message: string }
  /** It broke off, and the program was ended with it. */
  | { kind: 'lost'; message: string };

export interface ShellListener {
  onOpen: () => void;
  onBytes: (bytes: Uint8Array) => void;
  onEnd: (end: ShellEnd) => void;
}

const NORMAL = 1_000;
const GOING_AWAY = 1_001;
/** What the instance takes as one side of a terminal. */
const MOST_SIDE = 1_000;

const within = (side: number) => Math.max(1, Math.min(Math.floor(side), MOST_SIDE));

/** The path and query of a shell's request. */
export function shellAddress(path: AppPath, { instance, command }: ShellAsk, { columns, rows }: Size): string {
  const query = new URLSearchParams({
    columns: String(within(columns)),
    rows: String(within(rows)),
    command: JSON.stringify(command),
    refusal: 'message',
  });
  if (instance !== null) query.set('instance', instance);
  const app = [path.project, path.environment, path.app].map(encodeURIComponent).join('/');
  return `/api/apps/${app}/shell?${query}`;
}

/** What the server says in a message of text; null for what a later version may say. */
export function toldIn(text: string): ShellEnd | null {
  try {
    const told = JSON.parse(text) as { exit?: unknown; refused?: { message?: unknown } };
    if (typeof told.exit === 'number') return { kind: 'exit', code: told.exit };
    return typeof told.refused?.message === 'string' ? { kind: 'refused', message: told.refused.message } : null;
  } catch {
    // No JSON is nothing that is known.
    return null;
  }
}

/** Why it is over when nothing was told before. @param isOpen it was there */
export function endOf(code: number, reason: string, isOpen: boolean): ShellEnd {
  if (!isOpen) {
    const message = 'The shell could not be opened: the instance is away, or you are not signed in any more.';
    return { kind: 'lost', message };
  }
  if (code === NORMAL) return { kind: 'lost', message: 'The program ended, and the instance did not say how.' };
  if (reason !== '') return { kind: 'lost', message: reason };
  if (code === GOING_AWAY) return { kind: 'lost', message: 'The instance is stopping: connect again in a moment.' };
  return { kind: 'lost', message: 'The connection broke, and the program was ended with it.' };
}

export class ShellConnection {
  readonly #socket: WebSocket;
  #told: ShellEnd | null = null;
  #isOpen = false;
  #isLeft = false;

  constructor(path: AppPath, ask: ShellAsk, size: Size, listener: ShellListener) {
    const address = new URL(shellAddress(path, ask, size), window.location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    this.#socket = new WebSocket(address);
    this.#socket.binaryType = 'arraybuffer';
    this.#socket.onopen = () => {
      this.#isOpen = true;
    };
    this.#socket.onmessage = ({ data }) => {
      if (typeof data === 'string') this.#told = toldIn(data) ?? this.#told;
      else this.#take(new Uint8Array(data as ArrayBuffer), listener);
    };
    this.#socket.onclose = ({ code, reason }) => {
      if (!this.#isLeft) listener.onEnd(this.#told ?? endOf(code, reason, this.#isOpen));
    };
  }

  #isTold = false;

  #take(bytes: Uint8Array, listener: ShellListener): void {
    // A socket is open before it is known whether the shell is.
    if (!this.#isTold) listener.onOpen();
    this.#isTold = true;
    listener.onBytes(bytes);
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }

  resize({ columns, rows }: Size): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ resize: { columns: within(columns), rows: within(rows) } }));
  }

  /** Leaves, which ends the program. */
  leave(): void {
    this.#isLeft = true;
    this.#socket.close(NORMAL);
  }
}
