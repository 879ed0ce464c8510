/** A tab's side of the shared connection. */
import { DavitError } from '@davit/api';
import type { Happened, LinesTold, LiveState, LogLine, TabPort, ToHub, ToTab } from './messages.ts';
import { PACE } from './pace.ts';

export type LogHeard =
  | { kind: 'lines'; lines: LogLine[] }
  /** Lines are missing: what comes next are the newest. */
  | { kind: 'gap' }
  /** It cannot be followed: the server's sentence. */
  | { kind: 'refused'; error: Error };

export interface TabParts {
  /** Finds who holds the connection, or begins to hold it. */
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
  /** It was told all that came before this moment: what is heard later may have waited while the page was frozen. */
  #toldBefore: number;
  /** When it last heard anything. */
  #heardAt = 0;
  #watching: ReturnType<typeof setInterval> | undefined;

  /** @param since from when on it has to be told what happened: what is shown was fetched afterwards */
  constructor(parts: TabParts, since: number) {
    this.#parts = parts;
    this.#toldBefore = since;
  }

  /** Takes part, or does so again after it has left or was lost. */
  join(): void {
    this.#port?.close();
    // The newest lines come again.
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

  /** The page is put away: it may come back, or not. */
  leave(): void {
    this.#say({ kind: 'leave' });
    clearInterval(this.#watching);
    this.#port = null;
  }

  signedIn(): void {
    this.#say({ kind: 'signed_in' });
  }

  /** Says to the other tabs that nobody is signed in any more because nobody wants to be. */
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

  /** Nobody holds the connection any more, or this tab was asleep and taken for gone. */
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
