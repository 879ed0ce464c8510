import type { Followed } from './followed.ts';
import type { HubPort, LinesTold, ToTab } from './messages.ts';
import { PACE } from './pace.ts';

/** Maximum number of messages with log lines that a tab has not acknowledged. */
const MOST_UNDER_WAY = 60;

/** A tab as the hub represents it: the logs that the tab follows, and whether the tab is alive. */
export class TabAtHub {
  readonly #port: HubPort;
  /** Followed apps by the id that the tab gave to each follow. */
  readonly follows = new Map<number, Followed>();
  #unanswered = 0;
  #underWay = 0;
  /** Apps whose lines were not all sent to the tab. */
  readonly #behind = new Set<Followed>();

  constructor(port: HubPort) {
    this.#port = port;
  }

  /** Whether the tab is closed, crashed or frozen, because it left too many pings unanswered. */
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

  /**
   * Sends a message to all follows of an app in this tab. A busy tab gets a gap message later, because a queue of its
   * messages would have no bound.
   */
  tellLines(of: Followed, told: LinesTold): void {
    const to = this.#followsOf(of);
    if (to.length === 0) return;
    if (told.kind !== 'refused' && this.#underWay >= MOST_UNDER_WAY) this.#behind.add(of);
    else this.#send(to, told);
  }

  /** Sends one follow the lines of its app that have already arrived. */
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
