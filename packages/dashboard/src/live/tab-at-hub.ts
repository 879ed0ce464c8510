import type { Followed } from './followed.ts';
import type { HubPort, LinesMessage, ToTab } from './messages.ts';
import { PACE } from './pace.ts';

/** Maximum number of messages with log lines that were sent to a tab, but that the tab has not processed yet. */
const MOST_UNDER_WAY = 60;

/**
 * State of one tab in the hub, which receives events from the server for all tabs. The state contains the logs that the
 * tab shows, and whether the tab is still open.
 */
export class TabAtHub {
  readonly #port: HubPort;
  /** Maps the id of a log listener to the app whose log this browser tab shows. The tab chooses the id. */
  readonly follows = new Map<number, Followed>();
  #unanswered = 0;
  #underWay = 0;
  /** Apps with log lines that were not sent to this browser tab, because the tab had too many unprocessed messages. */
  readonly #behind = new Set<Followed>();

  constructor(port: HubPort) {
    this.#port = port;
  }

  /** Whether the tab is closed, crashed or frozen. Such a tab does not answer pings. */
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
   * Sends log lines of an app to the log views of the tab. If the tab is too slow, the log lines are discarded, so that
   * the memory use does not grow.
   */
  tellLines(of: Followed, message: LinesMessage): void {
    const to = this.#followsOf(of);
    if (to.length === 0) return;
    if (message.kind !== 'refused' && this.#underWay >= MOST_UNDER_WAY) this.#behind.add(of);
    else this.#send(to, message);
  }

  /** Sends the recent log lines of an app to a new log listener of this browser tab. */
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
      // Report that log lines are missing, and then send the newest lines.
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

  #send(to: number[], message: LinesMessage): void {
    this.#underWay += 1;
    this.tell({ kind: 'log', to, told: message });
  }
}
