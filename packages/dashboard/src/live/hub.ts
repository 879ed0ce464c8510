/**
 * Manages the one event stream of a browser and forwards events to all tabs. Over HTTP/1.1, browsers allow six
 * connections per server. With one stream per tab, six tabs would block all other requests.
 */
import type { DavitError, EventMessage, LiveMessage, Reset } from '@davit/api';
import { FollowedApps } from './followed-apps.ts';
import type { HubPort, Refusal, ToHub, ToTab } from './messages.ts';
import { PACE } from './pace.ts';
import { Recent } from './recent.ts';
import { type Hearing, Stream } from './stream.ts';
import { TabAtHub } from './tab-at-hub.ts';

export interface Ask {
  /**
   * Id of the last received event, after which the stream continues. Empty for a new stream, which begins at `pastS`.
   */
  after: string;
  /** Seconds in the past at which a new event stream begins, or `null` to begin with the next event. */
  pastS: number | null;
  /** References of apps whose logs the stream contains, each with its log position. */
  logs: string[];
}

/** Functions with which the hub sends requests to the server. Tests replace them. */
export interface HubParts {
  connect: (ask: Ask, hearing: Hearing) => AsyncIterable<LiveMessage<EventMessage>>;
  /** Returns why the log of an app cannot be followed, or `null` if no reason is known. */
  whyNot: (app: string) => Promise<Refusal | null>;
}

/**
 * Margin in milliseconds for answers that were fetched while the event stream was opening. Such answers may be older
 * than the first event.
 */
const MARGIN_MS = 2_000;
/**
 * Maximum number of seconds for which past events are requested. After a longer time, all cached answers are refetched
 * instead.
 */
const LONGEST_PAST_S = 300;

export class Hub {
  readonly #parts: HubParts;
  readonly #tabs = new Set<TabAtHub>();
  readonly #apps = new FollowedApps(this.#tabs);
  readonly #recent = new Recent();
  readonly #stream: Stream;
  /** Position in the event stream: the id of the last received event, or an empty string before the stream begins. */
  #position = '';
  /** Time in milliseconds since the epoch from which at least one tab needs all events, with a safety margin. */
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

  /** Checks the connection after a network change, because the old connection may be dead. */
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

  /**
   * Reconnects after a sign-in, because the user may be a different one. Log lines and cached answers of the previous
   * user are discarded.
   */
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

  /** Requests the event stream again after a short delay if the followed apps have changed. */
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

  /**
   * Stores a position that the server sends without an event. The first position means that the event stream begins or
   * has restarted.
   */
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
      // Metric events have no place in the order of events, so they do not change the position.
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
    // Refetches all answers after a lost position or a change of the user's permissions. After other reasons, the
    // stream reconnects without loss.
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
    // The server refuses the whole request if one of the apps does not exist. Such apps are removed from the request.
    return (await this.#apps.endRefused(this.#parts.whyNot)) ? 'again' : 'later';
  }

  #tellAll(message: ToTab, but?: TabAtHub): void {
    for (const tab of this.#tabs) if (tab !== but) tab.tell(message);
  }
}
