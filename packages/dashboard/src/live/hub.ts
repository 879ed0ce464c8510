/**
 * Holds the one connection of a browser, and tells its tabs. A browser has six connections to an origin: a stream a tab
 * would leave none for anything else at the sixth one.
 */
import { type DavitError, type LiveMessage, type LogEvent, MOST_FOLLOWED_LOGS, type Reset } from '@davit/api';
import { Followed } from './followed.ts';
import type { Happened, HubPort, LinesTold, Refusal, ToHub, ToTab } from './messages.ts';
import { PACE } from './pace.ts';
import { Recent } from './recent.ts';
import { type Hearing, Stream } from './stream.ts';
import { TabAtHub } from './tab-at-hub.ts';

/** What is asked of the instance. */
export interface HubParts {
  /** @param after empty: from now on */
  connect: (ask: { after: string; logs: string[] }, hearing: Hearing) => AsyncIterable<LiveMessage<unknown>>;
  /** Why an app cannot be followed; null: nothing is known against it. */
  whyNot: (app: string) => Promise<Refusal | null>;
}

const REFERENCE = /^[a-z0-9-]{1,63}\/[a-z0-9-]{1,63}\/[a-z0-9-]{1,63}$/;

/** Answers that are fetched while the stream is opened may be from before. */
const MARGIN_MS = 1_000;

export class Hub {
  readonly #parts: HubParts;
  readonly #tabs = new Set<TabAtHub>();
  readonly #followed = new Map<string, Followed>();
  readonly #recent = new Recent();
  readonly #stream: Stream;
  /** Where the stream stands; empty: it has not begun. */
  #position = '';
  /** The apps that the present question names. */
  #asked = new Set<Followed>();
  /** Those for which it has no room, and who know it. */
  #waiting = new Set<Followed>();
  #settling: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;

  constructor(parts: HubParts) {
    this.#parts = parts;
    this.#stream = new Stream({
      connect: (hearing) => this.#connect(hearing),
      onPosition: (id) => this.#stand(id),
      onMessage: (message) => this.#hear(message),
      onState: (state) => this.#tellAll({ kind: 'state', state }),
      onRefused: (error) => this.#refused(error),
    });
  }

  join(port: HubPort): void {
    const tab = new TabAtHub(port);
    port.onmessage = ({ data }) => this.#heard(tab, data);
  }

  /** The network came or went. */
  doubt(): void {
    this.#stream.doubt();
  }

  #heard(tab: TabAtHub, message: ToHub): void {
    tab.isHere();
    if (message.kind === 'join') this.#enter(tab, message.since);
    else if (!this.#tabs.has(tab)) return;
    else if (message.kind === 'took') tab.took();
    else if (message.kind === 'follow') this.#follow(tab, message.id, message.app);
    else if (message.kind === 'unfollow') this.#unfollow(tab, message.id);
    else if (message.kind === 'signed_in') this.#stream.start();
    else if (message.kind === 'leave') this.#leave(tab);
  }

  #enter(tab: TabAtHub, since: number): void {
    this.#tabs.add(tab);
    this.#pinging ??= setInterval(() => this.#ping(), PACE.pingMs);
    this.#stream.start();
    tab.tell({ kind: 'state', state: this.#stream.state });
    if (this.#position === '') return;
    const missed = this.#recent.since(since - MARGIN_MS);
    if (missed === null) tab.tell({ kind: 'reread', before: Date.now() });
    else for (const happened of missed) tab.tell({ kind: 'happened', happened });
  }

  #leave(tab: TabAtHub): void {
    for (const id of [...tab.follows.keys()]) this.#unfollow(tab, id);
    this.#tabs.delete(tab);
    tab.close();
    if (this.#tabs.size > 0) return;
    clearInterval(this.#pinging);
    this.#pinging = undefined;
    this.#stream.stop();
    this.#position = '';
  }

  #ping(): void {
    for (const tab of [...this.#tabs]) {
      if (tab.isGone) this.#leave(tab);
      else tab.ping();
    }
  }

  #follow(tab: TabAtHub, id: number, app: string): void {
    let followed = this.#followed.get(app);
    // Who follows what has ended asks whether it is there again.
    if (followed === undefined || followed.isOver) followed = new Followed(app);
    this.#followed.set(app, followed);
    tab.follows.set(id, followed);
    this.#waiting.delete(followed);
    if (!REFERENCE.test(app)) this.#end(followed, { code: 'not_found', message: 'There is no such app.' });
    else if (this.#asked.has(followed)) tab.begin(id, followed);
    else this.#settle();
  }

  #unfollow(tab: TabAtHub, id: number): void {
    const followed = tab.follows.get(id);
    tab.follows.delete(id);
    if (followed === undefined || this.#isFollowed(followed)) return;
    if (this.#followed.get(followed.app) === followed) this.#followed.delete(followed.app);
    if (this.#asked.has(followed)) this.#settle();
  }

  #isFollowed(of: Followed): boolean {
    return [...this.#tabs].some(({ follows }) => [...follows.values()].includes(of));
  }

  /** Asks anew when what is followed has come to rest, unless it is the same then. */
  #settle(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      const wanted = this.#wanted();
      const isSame = wanted.length === this.#asked.size && wanted.every((one) => this.#asked.has(one));
      if (!isSame) this.#stream.askAnew();
    }, PACE.settleMs);
  }

  /** In the order in which they came; those beyond the bound wait until there is room, and are told so. */
  #wanted(): Followed[] {
    const all = [...this.#followed.values()].filter(({ isOver }) => !isOver);
    const waiting = all.slice(MOST_FOLLOWED_LOGS);
    for (const followed of waiting.filter((one) => !this.#waiting.has(one))) {
      const message = `This browser follows the logs of ${MOST_FOLLOWED_LOGS} apps already: close one of them first.`;
      this.#tellLines(followed, { kind: 'refused', refusal: { code: 'conflict', message } });
    }
    this.#waiting = new Set(waiting);
    return all.slice(0, MOST_FOLLOWED_LOGS);
  }

  #connect(hearing: Hearing): AsyncIterable<LiveMessage<unknown>> {
    const wanted = this.#wanted();
    this.#asked = new Set(wanted);
    return this.#parts.connect({ after: this.#position, logs: wanted.map(({ asked }) => asked) }, hearing);
  }

  /** Where it stands without anything having happened: it begins, or begins again. */
  #stand(id: string): void {
    const isFirst = this.#position === '';
    this.#position = id;
    if (isFirst) this.#reread();
  }

  #hear({ id, event, data }: LiveMessage<unknown>): void {
    if (event === 'log') this.#hearLines(data as LogEvent);
    else if (event === 'reset') this.#hearReset(data as Reset);
    else {
      const happened = { kind: event, data } as Happened;
      if (happened.kind !== 'metric') {
        this.#position = id;
        this.#recent.add(happened, Date.now());
      }
      this.#tellAll({ kind: 'happened', happened });
    }
  }

  #hearLines(event: LogEvent): void {
    const followed = this.#askedOf(event.app);
    if (followed === undefined) return;
    followed.take(event);
    this.#tellLines(followed, { kind: 'lines', lines: event.lines });
  }

  #hearReset({ app, reason, message }: Reset): void {
    if (app === undefined) {
      // With other rights other things are seen; the rest is what a new connection is for.
      if (reason === 'position_gone' || reason === 'rights_ended') this.#reread();
      return;
    }
    const followed = this.#askedOf(app);
    if (followed === undefined) return;
    if (reason !== 'position_gone') {
      this.#end(followed, { code: reason === 'rights_ended' ? 'not_found' : 'unavailable', message });
      return;
    }
    followed.begin();
    this.#tellLines(followed, { kind: 'gap' });
  }

  #askedOf(app: string): Followed | undefined {
    const followed = this.#followed.get(app);
    return followed !== undefined && this.#asked.has(followed) ? followed : undefined;
  }

  #end(followed: Followed, refusal: Refusal): void {
    followed.isOver = true;
    this.#tellLines(followed, { kind: 'refused', refusal });
  }

  #reread(): void {
    const now = Date.now();
    this.#recent.begin(now);
    this.#tellAll({ kind: 'reread', before: now + MARGIN_MS });
  }

  async #refused(error: DavitError): Promise<'again' | 'later' | 'stop'> {
    if (error.code === 'unauthorized') {
      this.#tellAll({ kind: 'signed_out' });
      return 'stop';
    }
    // One app that is not there refuses them all.
    let ended = 0;
    for (const followed of this.#asked) {
      const why = await this.#parts.whyNot(followed.app);
      if (why !== null) this.#end(followed, why);
      ended += why === null ? 0 : 1;
    }
    return ended > 0 ? 'again' : 'later';
  }

  #tellLines(of: Followed, told: LinesTold): void {
    for (const tab of this.#tabs) tab.tellLines(of, told);
  }

  #tellAll(message: ToTab): void {
    for (const tab of this.#tabs) tab.tell(message);
  }
}
