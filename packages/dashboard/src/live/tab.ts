/** The tab's side of the shared connection. */
import { DavitError } from '@davit/api';
import type { Happened, LinesTold, LiveState, LogLine, TabPort, ToHub, ToTab } from './messages.ts';
import { PACE } from './pace.ts';

export type LogHeard =
  | { kind: 'lines'; lines: LogLine[] }
  /** Lines are missing. The next message contains the newest lines. */
  | { kind: 'gap' }
  /** The app cannot be followed. `error` has the message of the server. */
  | { kind: 'refused'; error: Error };

export interface TabParts {
  /** Connects to the hub, or starts a hub if no hub exists. */
  open: () => TabPort;
  onState: (state: LiveState) => void;
  onHappened: (happened: Happened) => void;
  onReread: (before: number) => void;
  onSignedOut: () => void;
  onLeft: () => void;
}

interface Follow {
  app: string;
  listener: (heard: LogHeard) => void;
}

export class Tab {
  readonly #parts: TabParts;
  readonly #follows = new Map<number, Follow>();
  #port: TabPort | null = null;
  #next = 1;
  #hasJoined = false;
  /** Moment before which the tab has received all events. Later events may have waited while the page was frozen. */
  #toldBefore: number;
  /** Time of the last message from the hub. */
  #heardAt = 0;
  #watching: ReturnType<typeof setInterval> | undefined;

  /** @param since moment from which the tab needs all events; all shown answers were fetched after this moment */
  constructor(parts: TabParts, since: number) {
    this.#parts = parts;
    this.#toldBefore = since;
  }

  /** Joins the hub, also after the tab has left the hub or lost it. */
  join(): void {
    this.#port?.close();
    // The hub sends the newest lines again.
    if (this.#hasJoined) for (const { listener } of this.#follows.values()) listener({ kind: 'gap' });
    this.#hasJoined = true;
    const port = this.#parts.open();
    this.#port = port;
    port.onmessage = ({ data }) => this.#hear(data);
    this.#say({ kind: 'join', since: this.#toldBefore });
    for (const [id, { app }] of this.#follows) this.#say({ kind: 'follow', id, app });
    clearInterval(this.#watching);
    this.#heardAt = Date.now();
    this.#watching = setInterval(() => {
      if (Date.now() - this.#heardAt >= PACE.lostMs) this.#lost();
    }, PACE.tickMs);
  }

  /** Leaves the hub when the page is hidden or frozen. The page may be shown again later. */
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

  /** Joins again. The hub no longer exists, or it removed this tab while the tab was suspended. */
  #lost(): void {
    this.#parts.onState('away');
    this.join();
  }

  #say(message: ToHub): void {
    this.#port?.postMessage(message);
  }

  #hear(message: ToTab): void {
    this.#heardAt = Date.now();
    const { onState, onHappened, onReread, onSignedOut, onLeft } = this.#parts;
    if (message.kind === 'ping') {
      this.#toldBefore = message.at;
      this.#say({ kind: 'here' });
    } else if (message.kind === 'state') onState(message.state);
    else if (message.kind === 'happened') onHappened(message.happened);
    else if (message.kind === 'reread') onReread(message.before);
    else if (message.kind === 'signed_out') onSignedOut();
    else if (message.kind === 'left') onLeft();
    else {
      this.#say({ kind: 'took' });
      for (const id of message.to) this.#follows.get(id)?.listener(heardOf(message.told));
    }
  }
}

function heardOf(told: LinesTold): LogHeard {
  if (told.kind !== 'refused') return told;
  const { code, message } = told.refusal;
  return { kind: 'refused', error: new DavitError(code, message) };
}
