/**
 * Shares one event stream among all tabs of the browser. Browsers allow only six HTTP/1.1 connections to a server. Six
 * event streams would block all other requests.
 */
import type { DavitError, EventMessage, LiveMessage, Reset } from '@davit/api';
import { FollowedApps } from './followed-apps.ts';
import type { HubPort, Refusal, ToHub, ToTab } from './messages.ts';
import { PACE } from './pace.ts';
import { Recent } from './recent.ts';
import { type Hearing, Stream } from './stream.ts';
import { TabAtHub } from './tab-at-hub.ts';

export interface StreamRequest {
  /**
   * Id of the last received event. The new event stream begins after this event. With an empty string, the server
   * starts a new event stream.
   */
  after: string;
  /**
   * Number of seconds. A new event stream first sends the events of the last `pastS` seconds. If the value is `null`,
   * the event stream sends only new events.
   */
  pastS: number | null;
  /** References of apps whose logs are part of the event stream, each with its log position. */
  logs: string[];
}

/**
 * Functions with which the hub sends requests to the server. The hub manages the event stream for all tabs of the
 * browser. Tests replace these functions.
 */
export interface HubParts {
  connect: (ask: StreamRequest, hearing: Hearing) => AsyncIterable<LiveMessage<EventMessage>>;
  /**
   * Returns the reason why the server refuses access to an app. Returns `null` in all other cases, for example after a
   * temporary error or a sign-out.
   */
  whyNot: (app: string) => Promise<Refusal | null>;
}

/**
 * Safety margin in milliseconds for the time of an API response. The data in an API response may be older than the
 * response.
 */
const MARGIN_MS = 2_000;
/**
 * Number of seconds for which the server can send past events again. If a tab missed earlier events, all cached
 * responses are fetched again.
 */
const LONGEST_PAST_S = 300;

export class Hub {
  readonly #parts: HubParts;
  readonly #tabs = new Set<TabAtHub>();
  readonly #apps = new FollowedApps(this.#tabs);
  readonly #recent = new Recent();
  readonly #stream: Stream;
  /**
   * Position in the event stream, which is the id of the last received event. The position is empty before the event
   * stream begins.
   */
  #position = '';
  /**
   * Time in milliseconds since the epoch from which the tabs need all events. The time includes a safety margin, so
   * that the tabs miss no event.
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

  /** Checks the connection of the event stream after a network change, because the connection may be dead. */
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
   * Reconnects after a sign-in, because another user may have signed in. The log lines and cached responses of the
   * previous user are deleted.
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

  /**
   * Requests a new event stream if the tabs now show the logs of other apps. The request is sent after a short delay,
   * because a user may open several logs at once.
   */
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
   * Stores the position in the event stream, which is the id of the last event. The server sends a position even if
   * there are no events.
   */
  #stand(id: string): void {
    // If there was no position before, this event stream is the first one.
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
      // Metric events have no id, so they must not change the position in the event stream.
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
    // Fetch all data again only after `position_gone` and `rights_ended`. Only in these two cases may events be
    // missing.
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
    // Remove an app that does not exist from the request. Otherwise, the server refuses the whole request.
    return (await this.#apps.endRefused(this.#parts.whyNot)) ? 'again' : 'later';
  }

  #tellAll(message: ToTab, but?: TabAtHub): void {
    for (const tab of this.#tabs) if (tab !== but) tab.tell(message);
  }
}
