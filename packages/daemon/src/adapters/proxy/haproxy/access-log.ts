/**
 * Access log of the proxy: the parts of its configuration that send a line about each request to the daemon. Pure.
 *
 * A line goes through a ring buffer in the proxy's memory to a port of the daemon, many lines in one write. While the
 * daemon is not running, the ring keeps the newest lines. Davit does not use datagrams to a port. Both methods were
 * measured on the same two cores with one line for each request. The ring allowed 36,700 requests/s and took 3 µs of
 * the reader for each line. Datagrams allowed 17,100 requests/s and took 14 µs. Datagrams that the proxy sends while
 * the daemon is not running are lost.
 *
 * A line contains no path and no query, because both may contain secrets and the daemon does not need them.
 *
 * The proxy keeps counters for each app in its memory, so that a line shows which lines are missing. The counters are
 * the number of lines and the number of requests that were deliberately left out. The difference between two lines
 * shows how many requests ended and how many lines were lost between them. Each process, which the line identifies,
 * begins at 0.
 */

import type { AccessLine } from '../access-log.ts';

/** Port and token with which the daemon receives lines. */
export interface AccessLogTarget {
  /**
   * Port of the loopback address. Davit does not use a socket in a folder, because a ring tries to connect to an unused
   * socket without pauses.
   */
  port: number;
  /**
   * Prefix of every line, made of letters and digits. The reader ignores lines without the prefix, because other
   * programs on the server may write to the port.
   */
  token: string;
}

/** Request rate above which only some requests get a line. Every line states the rate at its time. */
export const MOST_LINES_PER_S = 2_000;
/**
 * Number of lines in one second at a rate above the limit. A line wakes another thread while it holds the ring. With
 * all cores busy, waiting for the ring took a sixth of the proxy's time at 2,000 lines/s.
 */
const DRAWN_LINES_PER_S = 200;

/**
 * Size of the ring in bytes. The ring holds about 55,000 lines, which is half a minute at the highest rate while the
 * daemon is not running.
 */
const RING_BYTES = 4 * 1024 * 1024;
/**
 * Maximum number of counted backends. The value exceeds the maximum number of backends, because the counts of an
 * evicted entry would begin again at 0.
 */
const COUNTED_BACKENDS = '64k';

const RING = 'access';
/** Table with three counters for each app: received requests, lines, and requests that were deliberately left out. */
export const COUNTS = 'access-counts';
const RATE = 'txn.access_rate';
const LEFT_OUT = 'txn.access_left_out';

/** Names of the frontend and the variables from which a line gets its values. */
export interface AccessNames {
  frontend: string;
  /**
   * Variable with the backend of the request's host, for example `txn.backend`. The names of apps' backends begin with
   * `b`.
   */
  backend: string;
  /** Variable with the request's host in its canonical form. */
  host: string;
}

/** Lines of the configuration, without indentation. */
export interface AccessLogLines {
  /**
   * Lines for the section `global`. The time in milliseconds at which a process read its configuration identifies the
   * process.
   */
  global: string[];
  /** Complete sections. */
  sections: string;
  /** Lines for the frontend. */
  frontend: string[];
  /**
   * Rules for the frontend. The rules must follow the rule that finds the backend and precede all rules that send a
   * response. Requests with an earlier response get no line.
   * - `sc2` is the third of the three counters that a request may have. The other counters are reserved for the rules
   *   of domains.
   * - `sc_inc_gpc(1,2)` counts at the moment when a line is written, so the numbers follow the order of the lines.
   * - A random number decides whether a request gets a line at a high rate.
   */
  rules: string[];
}

export function accessLogLines(names: AccessNames, { port, token }: AccessLogTarget): AccessLogLines {
  const isApp = `{ var(${names.backend}) -m beg b }`;
  return {
    global: ['set-var proc.access_began date(0,ms)'],
    sections: `ring ${RING}
  format raw
  size ${RING_BYTES}
  timeout connect 1s
  timeout server 60s
  server daemon 127.0.0.1:${port}

backend ${COUNTS} from base
  stick-table type string len 8 size ${COUNTED_BACKENDS} store gpc(3)`,
    frontend: [
      'option dontlognull',
      `log ring@${RING} local0 info`,
      `log-format "${[token, ...FIELDS.map((field) => field(names))].join(' ')}"`,
    ],
    rules: [
      `http-request set-log-level silent if !${isApp} || { stopping }`,
      `http-request track-sc2 var(${names.backend}) table ${COUNTS} if ${isApp} !{ stopping }`,
      'http-request sc-inc-gpc(0,2)',
      `http-request set-var(${RATE}) fe_req_rate(${names.frontend})`,
      `http-request set-var(${LEFT_OUT}) bool(true) if { var(${RATE}) -m int gt ${MOST_LINES_PER_S} } { rand(65536),mul(${RATE}),div(65536) ge ${DRAWN_LINES_PER_S} }`,
      `http-request set-log-level silent if { var(${LEFT_OUT}) -m found }`,
      `http-request sc-inc-gpc(2,2) if { var(${LEFT_OUT}) -m found }`,
    ],
  };
}

/** Fields of a line, in the order in which {@link parseAccessLine} reads them. */
const FIELDS: ((names: AccessNames) => string)[] = [
  () => '%[var(proc.access_began)]',
  ({ backend }) => `%[var(${backend})]`,
  () => '%[sc_inc_gpc(1,2)]',
  () => '%[sc_get_gpc(2,2)]',
  () => '%[date(0,ms)]',
  () => '%ST',
  () => '%Tw',
  () => '%Tc',
  () => '%Tr',
  () => '%B',
  () => `%[var(${RATE})]`,
  ({ host }) => `%[var(${host})]`,
];

/** Parses a line. @returns `null` if the text is not a line about a request for an app */
export function parseAccessLine(text: string): AccessLine | null {
  const fields = text.split(' ');
  if (fields.length !== FIELDS.length) return null;
  const [process, , lines, leftOut, at, status, queue, connect, answer, bytes, rate] = fields.map(Number);
  const slot = Number(fields[1]?.slice(1));
  const numbers = [process, slot, lines, leftOut, at, status, queue, connect, answer, bytes, rate];
  if (fields[1]?.[0] !== 'b' || !numbers.every(Number.isSafeInteger)) return null;
  const of = (value: number | undefined) => value ?? 0;
  return {
    process: of(process),
    slot,
    lines: of(lines),
    requests: of(lines) + of(leftOut),
    at: of(at),
    status: of(status),
    ms: of(answer) < 0 ? null : Math.max(0, of(queue)) + Math.max(0, of(connect)) + of(answer),
    bytes: of(bytes),
    sampled: of(rate) > MOST_LINES_PER_S,
    host: fields.at(-1) ?? '',
  };
}
