import { type IncomingMessage, request } from 'node:http';
import { operationOf } from './contract.ts';
import { connectionTo, type Target } from './http.ts';

export interface ReceivedEvent {
  id: string | null;
  event: string;
  data: Record<string, unknown>;
}

/** Open event stream (server-sent events). Each event is checked against the API contract. */
export class EventReader implements Disposable {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Complete text that the event stream has received so far. */
  raw = '';
  /**
   * Number of comments in the event stream so far. A comment is a line that begins with a colon and is not an event.
   */
  comments = 0;
  readonly #incoming: IncomingMessage;
  readonly #events: ReceivedEvent[] = [];
  readonly #check: (event: ReceivedEvent) => void;
  #text = '';
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(incoming: IncomingMessage, check: (event: ReceivedEvent) => void) {
    this.#incoming = incoming;
    this.#check = check;
    this.status = incoming.statusCode ?? 0;
    this.headers = incoming.headers;
    incoming.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    incoming.on('error', () => this.#end());
    incoming.on('close', () => this.#end());
  }

  /** Returns the next event, or `null` at the end of the event stream. */
  async next(): Promise<ReceivedEvent | null> {
    for (;;) {
      const event = this.#events.shift();
      if (event) return event;
      if (this.#ended) return null;
      await this.#change();
    }
  }

  /**
   * Returns the next event that matches. Events before this event are skipped.
   * @throws Error at the end of the event stream
   */
  async until(matches: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent> {
    for (;;) {
      const event = await this.next();
      if (event === null) throw new Error(`the stream ended without it: ${this.raw.slice(-500)}`);
      if (matches(event)) return event;
    }
  }

  /** Returns all remaining events up to the end of the event stream. */
  async rest(): Promise<ReceivedEvent[]> {
    const events: ReceivedEvent[] = [];
    for (let event = await this.next(); event !== null; event = await this.next()) events.push(event);
    return events;
  }

  /**
   * Waits for the next comment line in the event stream. A comment line begins with a colon and contains no event. Also
   * resolves when the event stream ends.
   */
  async comment(): Promise<void> {
    const before = this.comments;
    while (this.comments === before && !this.#ended) await this.#change();
  }

  /** Stops reading the event stream, so that the client looks unresponsive to the server. */
  pause(): void {
    this.#incoming.pause();
  }

  resume(): void {
    this.#incoming.resume();
  }

  [Symbol.dispose](): void {
    this.#incoming.destroy();
  }

  #change(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    return promise;
  }

  #take(text: string): void {
    this.raw += text;
    const blocks = (this.#text + text).split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) this.#read(block);
    this.#wake();
  }

  #read(block: string): void {
    const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s) as [string, string]));
    if (fields.has('')) this.comments += 1;
    const data = fields.get('data');
    if (data === undefined) return;
    const event = { id: fields.get('id') ?? null, event: fields.get('event') ?? 'message', data: JSON.parse(data) };
    this.#check(event);
    this.#events.push(event);
  }

  #end(): void {
    this.#ended = true;
    this.#wake();
  }
}

/** Opens an event stream. Resolves when the response headers arrive, with any HTTP status. */
export function readEvents(
  target: Target,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<EventReader> {
  const { promise, resolve, reject } = Promise.withResolvers<EventReader>();
  const accept = { accept: 'text/event-stream', ...headers };
  const outgoing = request({ ...connectionTo(target), method, path, agent: false, headers: accept }, (incoming) =>
    resolve(new EventReader(incoming, checkOf(method, path))),
  );
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}

/** Returns a function that checks whether an event has the format that the API contract declares for the operation. */
function checkOf(method: string, path: string): (event: ReceivedEvent) => void {
  const declared = operationOf(method, path)?.responses[200]?.events;
  return ({ event, data }) => {
    const result = declared?.safeParse({ event, data });
    if (result?.error) throw new Error(`${method} ${path} sent an event ${event} not in its shape: ${result.error}`);
  };
}
