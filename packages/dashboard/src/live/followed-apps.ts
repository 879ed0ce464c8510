import { type LogEvent, MOST_FOLLOWED_LOGS, type Reset } from '@davit/api';
import { Followed } from './followed.ts';
import type { LinesMessage, Refusal } from './messages.ts';
import type { TabAtHub } from './tab-at-hub.ts';

const REFERENCE = /^[a-z0-9-]{1,63}\/[a-z0-9-]{1,63}\/[a-z0-9-]{1,63}$/;

/** Manages the apps whose logs are shown live in at least one tab of the browser. */
export class FollowedApps {
  readonly #tabs: ReadonlySet<TabAtHub>;
  readonly #followed = new Map<string, Followed>();
  /** Apps whose logs the open event stream contains. */
  #requested = new Set<Followed>();
  /**
   * Apps whose logs the event stream does not contain, because the browser tabs show too many logs at once. The tabs
   * that show these logs have received an error.
   */
  #waiting = new Set<Followed>();

  constructor(tabs: ReadonlySet<TabAtHub>) {
    this.#tabs = tabs;
  }

  /**
   * Whether the browser tabs now show other logs than the open event stream contains. If so, a new event stream must be
   * requested.
   */
  get isToBeAsked(): boolean {
    const wanted = this.#wanted();
    return wanted.length !== this.#requested.size || !wanted.every((one) => this.#requested.has(one));
  }

  /**
   * Returns the apps whose logs the next event stream must contain, each with its log position. These logs are then
   * marked as requested.
   */
  ask(): string[] {
    const wanted = this.#wanted();
    this.#requested = new Set(wanted);
    return wanted.map(({ asked: logRequest }) => logRequest);
  }

  follow(tab: TabAtHub, id: number, app: string): void {
    const known = this.#followed.get(app);
    // If the server has rejected an earlier request for the log of this app, try again, because the app may exist now.
    const followed = known === undefined || known.isOver ? new Followed(app) : known;
    this.#followed.set(app, followed);
    this.#waiting.delete(followed);
    tab.follows.set(id, followed);
    if (!REFERENCE.test(app)) this.#end(followed, { code: 'not_found', message: 'App not found.' });
    else if (this.#requested.has(followed)) tab.begin(id, followed);
  }

  unfollow(tab: TabAtHub, id: number): void {
    const followed = tab.follows.get(id);
    tab.follows.delete(id);
    if (followed === undefined || this.#followed.get(followed.app) !== followed || this.#isFollowed(followed)) return;
    this.#followed.delete(followed.app);
  }

  hearLines(event: LogEvent): void {
    const followed = this.#askedOf(event.app);
    followed?.take(event);
    if (followed !== undefined) this.#tell(followed, { kind: 'lines', lines: event.lines });
  }

  hearReset({ reason, message }: Reset, app: string): void {
    const followed = this.#askedOf(app);
    if (followed === undefined) return;
    if (reason === 'position_gone') {
      followed.begin();
      this.#tell(followed, { kind: 'gap' });
    } else this.#end(followed, { code: reason === 'rights_ended' ? 'not_found' : 'unavailable', message });
  }

  /** Restarts the logs of all followed apps. The server then sends the newest lines of each log again. */
  forget(): void {
    for (const followed of this.#followed.values()) {
      if (followed.isOver) continue;
      followed.begin();
      this.#tell(followed, { kind: 'gap' });
    }
  }

  /**
   * Stops requesting the logs of apps that the server refuses to send.
   * @returns whether the server refused at least one log
   */
  async endRefused(whyNot: (app: string) => Promise<Refusal | null>): Promise<boolean> {
    let hasEnded = false;
    for (const followed of this.#requested) {
      const why = await whyNot(followed.app);
      if (why === null) continue;
      this.#end(followed, why);
      hasEnded = true;
    }
    return hasEnded;
  }

  /**
   * Returns the apps whose logs the event stream must contain. If the tabs show too many logs, the logs that were
   * opened last are omitted. The tabs with these logs get an error.
   */
  #wanted(): Followed[] {
    const all = [...this.#followed.values()].filter(({ isOver }) => !isOver);
    const waiting = all.slice(MOST_FOLLOWED_LOGS);
    for (const followed of waiting.filter((one) => !this.#waiting.has(one))) {
      const message = `This browser already follows the logs of ${MOST_FOLLOWED_LOGS} apps. Close one of these pages first.`;
      this.#tell(followed, { kind: 'refused', refusal: { code: 'conflict', message } });
    }
    this.#waiting = new Set(waiting);
    return all.slice(0, MOST_FOLLOWED_LOGS);
  }

  #isFollowed(of: Followed): boolean {
    return [...this.#tabs].some(({ follows }) => [...follows.values()].includes(of));
  }

  #askedOf(app: string): Followed | undefined {
    const followed = this.#followed.get(app);
    return followed !== undefined && this.#requested.has(followed) ? followed : undefined;
  }

  #end(followed: Followed, refusal: Refusal): void {
    followed.isOver = true;
    this.#tell(followed, { kind: 'refused', refusal });
  }

  #tell(of: Followed, message: LinesMessage): void {
    for (const tab of this.#tabs) tab.tellLines(of, message);
  }
}
