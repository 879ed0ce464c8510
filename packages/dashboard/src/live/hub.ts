/**
 * Holds the only event stream of a browser and passes its events to the tabs. A browser allows six connections to an
 * origin. One stream for each tab would leave no connection for other requests from the sixth tab on.
 */
import type { DavitError, EventMessage, LiveMessage, Reset } from '@davit/api';
import { FollowedApps } from './followed-apps.ts';
import type { HubPort, Refusal, ToHub, ToTab } from './messages.ts';
import { PACE } from './pace.ts';
import { Recent } from './recent.ts';
import { type Hearing, Stream } from './stream.ts';
import { TabAtHub } from './tab-at-hub.ts';

export interface Ask {
  /** Position after which the stream continues. If it is empty, `pastS` determines where the stream begins. */
  after: string;
  /** Number of seconds in the past at which a new stream begins, or `null` to begin with the next event. */
  pastS: number | null;
  /** Apps whose logs are followed, each with its position. */
  logs: string[];
}

/** Requests that the hub makes to the instance. */
export interface HubParts {
  connect: (ask: Ask, hearing: Hearing) => AsyncIterable<LiveMessage<EventMessage>>;
  /** Returns why an app cannot be followed, or `null` if no reason is known. */
  whyNot: (app: string) => Promise<Refusal | null>;
}

/** Margin in milliseconds, because an answer that is fetched while the stream opens may be older than the stream. */
const MARGIN_MS = 2_000;
/** Maximum number of seconds for which past events are requested. For a longer time, all answers are fetched again. */
const LONGEST_PAST_S = 300;

export class Hub {
  readonly #parts: HubParts;
  readonly #tabs = new Set<TabAtHub>();
  readonly #apps = new FollowedApps(this.#tabs);
  readonly #recent = new Recent();
  readonly #stream: Stream;
  /** Position of the stream, or an empty string before the stream begins. */
  #position = '';
  /**
   * Moment from which tabs need all events, because a tab has shown answers since then. Milliseconds since the epoch.
   */
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

  /** Checks the connection again after the network changed. */
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

  /** Discards everything received for the previous user, after another user may have signed in. */
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

  /** Makes a new request once the followed apps have stopped changing, unless the apps are the same as before. */
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

  /** Stores a position that comes without an event. A first position means that the stream begins or restarts. */
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
      // Metrics have no position in the order of events.
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
    // Another set of rights shows other data, so all answers are fetched again. A new connection handles the other
    // reasons.
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
    // One missing app makes the instance refuse the whole request.
    return (await this.#apps.endRefused(this.#parts.whyNot)) ? 'again' : 'later';
  }

  #tellAll(message: ToTab, but?: TabAtHub): void {
    for (const tab of this.#tabs) if (tab !== but) tab.tell(message);
  }
}
