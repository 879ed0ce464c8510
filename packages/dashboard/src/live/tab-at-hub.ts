import type { Followed } from './followed.ts';
import type { HubPort, LinesMessage, ToTab } from './messages.ts';
import { PACE } from './pace.ts';

/** Maximum number of messages with log lines that a tab has received but not yet processed. */
const MOST_UNDER_WAY = 60;

/**
 * State of one tab at the hub, which receives server events for all tabs: the logs that the tab shows, and whether it
 * still runs.
 */
export class TabAtHub {
  readonly #port: HubPort;
  /**
   * Map from listener id to app. Contains the apps whose logs this browser tab shows. The tab chooses an id for each of
   * its log listeners.
   */
  readonly follows = new Map<number, Followed>();
  #unanswered = 0;
  #underWay = 0;
  /** Apps whose log lines were not sent to this browser tab, because the tab had too many unprocessed messages. */
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
   * Sends log lines of an app to the log views of the tab. Drops the lines if the tab is too slow, so that memory use
   * does not grow.
   */
  tellLines(of: Followed, message: LinesMessage): void {
    const to = this.#followsOf(of);
    if (to.length === 0) return;
    if (message.kind !== 'refused' && this.#underWay >= MOST_UNDER_WAY) this.#behind.add(of);
    else this.#send(to, message);
  }

  /** Sends the recent log lines of an app to a listener that this browser tab has just added. */
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
      // Report that lines were dropped, and then send the newest lines.
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
