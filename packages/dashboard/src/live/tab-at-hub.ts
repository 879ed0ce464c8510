import type { Followed } from './followed.ts';
import type { HubPort, LinesTold, ToTab } from './messages.ts';
import { PACE } from './pace.ts';

/** So many messages with lines may be on their way to a tab. */
const MOST_UNDER_WAY = 60;

/** A tab as the holder of the connection sees it: what it follows, and whether it is there. */
export class TabAtHub {
  readonly #port: HubPort;
  /** By the tab's own number of each. */
  readonly follows = new Map<number, Followed>();
  #unanswered = 0;
  #underWay = 0;
  /** Apps of which it was not told everything. */
  readonly #behind = new Set<Followed>();

  constructor(port: HubPort) {
    this.#port = port;
  }

  /** Closed, crashed or frozen: it takes nothing. */
  get isGone(): boolean {
    return this.#unanswered >= PACE.mostUnanswered;
  }

  ping(): void {
    this.#unanswered += 1;
    this.tell({ kind: 'ping', at: Date.now() });
  }

  isHere(): void {
    this.#unanswered = 0;
  }

  tell(message: ToTab): void {
    this.#port.postMessage(message);
  }

  /** Tells all of its follows of an app. A tab that is busy is told of a gap later: what waits for it would have no bound. */
  tellLines(of: Followed, told: LinesTold): void {
    const to = this.#followsOf(of);
    if (to.length === 0) return;
    if (told.kind !== 'refused' && this.#underWay >= MOST_UNDER_WAY) this.#behind.add(of);
    else this.#send(to, told);
  }

  /** Tells one follow what is known of its app already. */
  begin(id: number, of: Followed): void {
    if (of.newest !== null) this.#send([id], { kind: 'lines', lines: of.newest });
  }

  took(): void {
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    const behind = [...this.#behind];
    this.#behind.clear();
    for (const of of behind) {
      const to = this.#followsOf(of);
      if (to.length === 0) continue;
      this.#send(to, { kind: 'gap' });
      this.#send(to, { kind: 'lines', lines: of.newest ?? [] });
    }
  }

  close(): void {
    this.#port.onmessage = null;
    this.#port.close();
  }

  #followsOf(of: Followed): number[] {
    return [...this.follows].filter(([, followed]) => followed === of).map(([id]) => id);
  }

  #send(to: number[], told: LinesTold): void {
    this.#underWay += 1;
    this.tell({ kind: 'log', to, told });
  }
}
