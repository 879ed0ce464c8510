import { type LogEvent, MOST_FOLLOWED_LOGS, type Reset } from '@davit/api';
import { Followed } from './followed.ts';
import type { LinesTold, Refusal } from './messages.ts';
import type { TabAtHub } from './tab-at-hub.ts';

const REFERENCE = /^[a-z0-9-]{1,63}\/[a-z0-9-]{1,63}\/[a-z0-9-]{1,63}$/;

/** All apps whose logs the tabs of a browser follow. */
export class FollowedApps {
  readonly #tabs: ReadonlySet<TabAtHub>;
  readonly #followed = new Map<string, Followed>();
  /** Apps that the current request of the stream names. */
  #asked = new Set<Followed>();
  /** Apps beyond the maximum number. Their tabs have received a message about the maximum. */
  #waiting = new Set<Followed>();

  constructor(tabs: ReadonlySet<TabAtHub>) {
    this.#tabs = tabs;
  }

  /** Whether the apps of the current request differ from the apps that tabs follow now. */
  get isToBeAsked(): boolean {
    const wanted = this.#wanted();
    return wanted.length !== this.#asked.size || !wanted.every((one) => this.#asked.has(one));
  }

  /** Returns the apps for the next request, each with its position, and records them as requested. */
  ask(): string[] {
    const wanted = this.#wanted();
    this.#asked = new Set(wanted);
    return wanted.map(({ asked }) => asked);
  }

  follow(tab: TabAtHub, id: number, app: string): void {
    const known = this.#followed.get(app);
    // A tab that follows an app after its stream ended causes a new attempt, because the app may exist again.
    const followed = known === undefined || known.isOver ? new Followed(app) : known;
    this.#followed.set(app, followed);
    this.#waiting.delete(followed);
    tab.follows.set(id, followed);
    if (!REFERENCE.test(app)) this.#end(followed, { code: 'not_found', message: 'App not found.' });
    else if (this.#asked.has(followed)) tab.begin(id, followed);
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

  /** Restarts the stream of every app with its newest lines. */
  forget(): void {
    for (const followed of this.#followed.values()) {
      if (followed.isOver) continue;
      followed.begin();
      this.#tell(followed, { kind: 'gap' });
    }
  }

  /**
   * Ends the apps of the current request that cannot be followed.
   * @returns whether at least one app was ended
   */
  async endRefused(whyNot: (app: string) => Promise<Refusal | null>): Promise<boolean> {
    let hasEnded = false;
    for (const followed of this.#asked) {
      const why = await whyNot(followed.app);
      if (why === null) continue;
      this.#end(followed, why);
      hasEnded = true;
    }
    return hasEnded;
  }

  /**
   * Returns the followed apps in the order in which tabs followed them, up to the maximum. The tabs of newly waiting
   * apps receive a message about the maximum.
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
    return followed !== undefined && this.#asked.has(followed) ? followed : undefined;
  }

  #end(followed: Followed, refusal: Refusal): void {
    followed.isOver = true;
    this.#tell(followed, { kind: 'refused', refusal });
  }

  #tell(of: Followed, told: LinesTold): void {
    for (const tab of this.#tabs) tab.tellLines(of, told);
  }
}
