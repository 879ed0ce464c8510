/**
 * Holds the one connection of a browser, and tells its tabs. A browser has six connections to an origin: a stream a tab
 * would leave none for anything else at the sixth one.
 */
import type { DavitError, EventMessage, LiveMessage, Reset } from '@davit/api';
import { FollowedApps } from './followed-apps.ts';
import type { HubPort, Refusal, ToHub, ToTab } from './messages.ts';
import { PACE } from './pace.ts';
import { Recent } from './recent.ts';
import { type Hearing, Stream } from './stream.ts';
import { TabAtHub } from './tab-at-hub.ts';

export interface Ask {
  /** Where the stream goes on; empty: it begins … */
  after: string;
  /** … with what happened in the past so many seconds; null: with what happens from now on. */
  pastS: number | null;
  /** Apps whose lines are followed, with their positions. */
  logs: string[];
}

/** What is asked of the instance. */
export interface HubParts {
  connect: (ask: Ask, hearing: Hearing) => AsyncIterable<LiveMessage<EventMessage>>;
  /** Why an app cannot be followed; null: nothing is known against it. */
  whyNot: (app: string) => Promise<Refusal | null>;
}

/** Answers that are fetched while the stream is opened may be from before. */
const MARGIN_MS = 2_000;
/** What began longer ago is read again. */
const LONGEST_PAST_S = 300;

export class Hub {
  readonly #parts: HubParts;
  readonly #tabs = new Set<TabAtHub>();
  readonly #apps = new FollowedApps(this.#tabs);
  readonly #recent = new Recent();
  readonly #stream: Stream;
  /** Where the stream stands; empty: it has not begun. */
  #position = '';
  /** What has to be told from here on, since somebody has shown it since; milliseconds since the epoch. */
  #since = Number.POSITIVE_INFINITY;
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
    else if (message.kind === 'signed_in') this.#renew();
    else if (message.kind === 'left') this.#tellAll({ kind: 'left' }, tab);
    else if (message.kind === 'leave') this.#leave(tab);
    else if (message.kind === 'follow') {
      this.#apps.follow(tab, message.id, message.app);
      this.#settle();
    } else if (message.kind === 'unfollow') {
      this.#apps.unfollow(tab, message.id);
      this.#settle();
    }
  }

  #enter(tab: TabAtHub, since: number): void {
    this.#tabs.add(tab);
    this.#since = Math.min(this.#since, since - MARGIN_MS);
    this.#pinging ??= setInterval(() => this.#ping(), PACE.pingMs);
    this.#stream.start();
    tab.tell({ kind: 'state', state: this.#stream.state });
    if (this.#position === '') return;
    const missed = this.#recent.since(since - MARGIN_MS);
    if (missed === null) tab.tell({ kind: 'reread', before: Date.now() });
    else for (const happened of missed) tab.tell({ kind: 'happened', happened });
  }

  /** What was told to who was signed in before is not told on. */
  #renew(): void {
    this.#apps.forget();
    this.#reread();
    this.#stream.renew();
  }

  #leave(tab: TabAtHub): void {
    for (const id of [...tab.follows.keys()]) this.#apps.unfollow(tab, id);
    this.#tabs.delete(tab);
    tab.close();
    this.#settle();
    if (this.#tabs.size > 0) return;
    clearTimeout(this.#settling);
    clearInterval(this.#pinging);
    this.#settling = undefined;
    this.#pinging = undefined;
    this.#stream.stop();
    this.#position = '';
    this.#since = Number.POSITIVE_INFINITY;
  }

  #ping(): void {
    for (const tab of [...this.#tabs]) {
      if (tab.isGone) this.#leave(tab);
      else tab.ping();
    }
  }

  /** Asks anew when what is followed has come to rest, unless it is the same then. */
  #settle(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      if (this.#apps.isToBeAsked) this.#stream.askAnew();
    }, PACE.settleMs);
  }

  #connect(hearing: Hearing): AsyncIterable<LiveMessage<EventMessage>> {
    const pastS = Math.ceil((Date.now() - this.#since) / 1_000);
    const logs = this.#apps.ask();
    return this.#parts.connect({ after: this.#position, pastS: pastS <= LONGEST_PAST_S ? pastS : null, logs }, hearing);
  }

  /** Where it stands without anything having happened: it begins, or begins again. */
  #stand(id: string): void {
    const isFirst = this.#position === '';
    this.#position = id;
    if (!isFirst) return;
    if (Date.now() - this.#since > LONGEST_PAST_S * 1_000) this.#reread();
    else this.#recent.begin(this.#since);
  }

  #hear(message: LiveMessage<EventMessage>): void {
    if (message.event === 'log') this.#apps.hearLines(message.data);
    else if (message.event === 'reset') this.#hearReset(message.data);
    else {
      // What is measured has no place in the order of what happens.
      if (message.event !== 'metric' && message.event !== 'machine') {
        this.#position = message.id;
        this.#recent.add(message, Date.now());
      }
      this.#tellAll({ kind: 'happened', happened: message });
    }
  }

  #hearReset(reset: Reset): void {
    const { app, reason } = reset;
    if (app !== undefined) this.#apps.hearReset(reset, app);
    // With other rights other things are seen; the rest is what a new connection is for.
    else if (reason === 'position_gone' || reason === 'rights_ended') this.#reread();
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
    return (await this.#apps.endRefused(this.#parts.whyNot)) ? 'again' : 'later';
  }

  #tellAll(message: ToTab, but?: TabAtHub): void {
    for (const tab of this.#tabs) if (tab !== but) tab.tell(message);
  }
}
