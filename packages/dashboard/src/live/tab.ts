/** Connects a tab to the hub. The hub manages the event stream for all tabs of the browser. */
import { DavitError } from '@davit/api';
import type { Happened, LinesMessage, LiveState, LogLine, TabPort, ToHub, ToTab } from './messages.ts';
import { PACE } from './pace.ts';

export type LogMessage =
  | { kind: 'lines'; lines: LogLine[] }
  /** Message that log lines are missing. The next message contains the newest lines of the log. */
  | { kind: 'gap' }
  /** The server refuses to send the log of the app. `error` contains the server's error message. */
  | { kind: 'refused'; error: Error };

export interface TabParts {
  /**
   * Opens a connection to the hub, which manages the event stream for all browser tabs. The first tab starts the hub.
   */
  open: () => TabPort;
  onState: (state: LiveState) => void;
  onHappened: (happened: Happened) => void;
  onReread: (before: number) => void;
  onSignedOut: () => void;
  onLeft: () => void;
}

interface Follow {
  app: string;
  listener: (heard: LogMessage) => void;
}

export class Tab {
  readonly #parts: TabParts;
  readonly #follows = new Map<number, Follow>();
  #port: TabPort | null = null;
  #next = 1;
  #hasJoined = false;
  /**
   * Time in milliseconds until which the tab has received all events. Later events may be missing, because the browser
   * can freeze the tab.
   */
  #receivedUntil: number;
  /**
   * Time in milliseconds at which this browser tab received the last message from the hub, which manages the event
   * stream.
   */
  #receivedAt = 0;
  #watching: ReturnType<typeof setInterval> | undefined;

  /**
   * @param since time in milliseconds from which the tab needs all events; all responses that the page shows were
   * fetched later
   */
  constructor(parts: TabParts, since: number) {
    this.#parts = parts;
    this.#receivedUntil = since;
  }

  /**
   * Connects this browser tab to the hub, which manages the event stream for all tabs. Also connects the tab again
   * after its connection was lost or closed.
   */
  join(): void {
    this.#port?.close();
    // Report missing lines in all logs. After a reconnect, the hub sends only the newest lines of a log.
    if (this.#hasJoined) for (const { listener } of this.#follows.values()) listener({ kind: 'gap' });
    this.#hasJoined = true;
    const port = this.#parts.open();
    this.#port = port;
    port.onmessage = ({ data }) => this.#hear(data);
    this.#say({ kind: 'join', since: this.#receivedUntil });
    for (const [id, { app }] of this.#follows) this.#say({ kind: 'follow', id, app });
    clearInterval(this.#watching);
    this.#receivedAt = Date.now();
    this.#watching = setInterval(() => {
      if (Date.now() - this.#receivedAt >= PACE.lostMs) this.#lost();
    }, PACE.tickMs);
  }

  /**
   * Disconnects this tab from the hub when the user leaves the page or the browser pauses the page in the background.
   */
  leave(): void {
    this.#say({ kind: 'leave' });
    clearInterval(this.#watching);
    this.#port = null;
  }

  signedIn(): void {
    this.#say({ kind: 'signed_in' });
  }

  /** Notifies the other tabs that the user has signed out. */
  left(): void {
    this.#say({ kind: 'left' });
  }

  follow(app: string, listener: Follow['listener']): () => void {
    const id = this.#next;
    this.#next += 1;
    this.#follows.set(id, { app, listener });
    this.#say({ kind: 'follow', id, app });
    return () => {
      if (this.#follows.delete(id)) this.#say({ kind: 'unfollow', id });
    };
  }

  /**
   * Connects this tab to the hub again after the hub has ended or has removed this tab. The hub removes tabs that the
   * browser has paused.
   */
  #lost(): void {
    this.#parts.onState('away');
    this.join();
  }

  #say(message: ToHub): void {
    this.#port?.postMessage(message);
  }

  #hear(message: ToTab): void {
    this.#receivedAt = Date.now();
    const { onState, onHappened, onReread, onSignedOut, onLeft } = this.#parts;
    if (message.kind === 'ping') {
      this.#receivedUntil = message.at;
      this.#say({ kind: 'here' });
    } else if (message.kind === 'state') onState(message.state);
    else if (message.kind === 'happened') onHappened(message.happened);
    else if (message.kind === 'reread') onReread(message.before);
    else if (message.kind === 'signed_out') onSignedOut();
    else if (message.kind === 'left') onLeft();
    else {
      this.#say({ kind: 'took' });
      for (const id of message.to) this.#follows.get(id)?.listener(logMessageOf(message.told));
    }
  }
}

function logMessageOf(linesMessage: LinesMessage): LogMessage {
  if (linesMessage.kind !== 'refused') return linesMessage;
  const { code, message } = linesMessage.refusal;
  return { kind: 'refused', error: new DavitError(code, message) };
}
