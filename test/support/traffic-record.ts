/** Results of requests: counts by class, by release, and every failure by its kind. */

export const TRAFFIC_CLASSES = ['fresh', 'keep-alive', 'post', 'slow', 'h2c', 'sse', 'websocket'] as const;
/**
 * Class of requests. `fresh`: GET on a new connection. `keep-alive`: GET on a reused connection. `post`: 64 KiB,
 * compared by hash. `slow`: GET that takes 2 s. `h2c`: GET over HTTP/2. `sse` and `websocket`: events and messages of
 * one long connection to the neighbor.
 */
export type TrafficClass = (typeof TRAFFIC_CLASSES)[number];

export interface Counts {
  sent: number;
  ok: number;
  lost: number;
  /**
   * Number of requests that the proxy refused before it processed them. HTTP/2 reports such refusals, and the client
   * sends the requests again.
   */
  retried: number;
}

export interface Failure {
  class: TrafficClass;
  /**
   * Kind of the failure: connect, reset-fresh, reset-reused, status-503, wrong-body, truncated, time-out, stale or
   * broken.
   */
  kind: string;
  detail: string;
  /** Time in milliseconds since the epoch. */
  at: number;
}

/** Response of the app, with the release that sent it. */
export interface Answer {
  tag: string;
  deployment: number;
}

const FAILURES_KEPT = 60;

/** A lost request. `kind` says why. */
export class Lost extends Error {
  readonly kind: string;

  constructor(kind: string, detail: string) {
    super(detail);
    this.kind = kind;
  }
}

export class Recorder {
  readonly classes = Object.fromEntries(
    TRAFFIC_CLASSES.map((name) => [name, { sent: 0, ok: 0, lost: 0, retried: 0 }]),
  ) as Record<TrafficClass, Counts>;
  readonly tags: Record<string, number> = {};
  readonly lost: Record<string, number> = {};
  readonly failures: Failure[] = [];
  slowestMs = 0;

  ok(name: TrafficClass, tookMs: number, answer: Answer | null): void {
    this.classes[name].ok += 1;
    if (name !== 'slow') this.slowestMs = Math.max(this.slowestMs, tookMs);
    if (answer) this.tags[answer.tag] = (this.tags[answer.tag] ?? 0) + 1;
  }

  lose(name: TrafficClass, error: unknown): void {
    const { kind = 'other', message } = error as Partial<Lost> & Error;
    this.classes[name].lost += 1;
    const key = `${name}: ${kind}`;
    this.lost[key] = (this.lost[key] ?? 0) + 1;
    if (this.failures.length < FAILURES_KEPT)
      this.failures.push({ class: name, kind, detail: message, at: Date.now() });
  }
}

/**
 * Parses the response of the app.
 * @throws Lost if it is not a response of the app
 */
export function readAnswer(text: string): Answer & { length?: number; sha256?: string } {
  try {
    const answer = JSON.parse(text) as Answer;
    if (typeof answer.tag === 'string' && typeof answer.deployment === 'number') return answer;
  } catch {
    // The text is not JSON, so the error below reports it.
  }
  throw new Lost('wrong-body', text.slice(0, 200));
}
