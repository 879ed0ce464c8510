/**
 * Renders the HAProxy configuration of the access log. HAProxy sends one access log line per request to the daemon.
 * Pure functions.
 *
 * HAProxy collects the access log lines in a ring buffer in memory and writes many lines at once to a TCP port of the
 * daemon. While the daemon is not running, the ring buffer keeps the newest lines.
 *
 * One UDP datagram per line was slower on the same two cores. With the ring buffer, HAProxy handled 36,700 requests/s,
 * and the reader needed 3 µs per line. With datagrams, HAProxy handled 17,100 requests/s, and the reader needed 14 µs.
 * Datagrams are also lost while the daemon is not running.
 *
 * An access log line contains no URL path and no query string, because the daemon does not need them and they may
 * contain secrets.
 *
 * HAProxy has two counters per app: written log lines, and requests that it did not log on purpose. Each line contains
 * both counters. The difference between two lines shows how many requests ended and how many lines were lost between
 * them. The counters start at 0 in each HAProxy process, so each line also identifies the process.
 */

import type { AccessLine } from '../access-log.ts';

/** TCP port and token with which HAProxy sends its access log to the daemon. */
export interface AccessLogTarget {
  /**
   * TCP port on the loopback address to which HAProxy sends the access log. A Unix socket is not used, because HAProxy
   * would try to connect without pauses while no process listens on it.
   */
  port: number;
  /**
   * Text at the start of every access log line, made of letters and digits. Any process on the server can send data to
   * the daemon's log port, so the daemon ignores lines without this text.
   */
  token: string;
}

/**
 * Maximum number of requests per second for which HAProxy logs every request. At a higher rate, HAProxy logs only a
 * sample of the requests.
 */
export const MOST_LINES_PER_S = 2_000;
/**
 * Number of access log lines that HAProxy writes per second when it logs only a sample of the requests. The number is
 * low, because each line locks the ring buffer and wakes another thread. Writing 2,000 lines per second took a sixth of
 * HAProxy's time when all CPU cores were busy.
 */
const DRAWN_LINES_PER_S = 200;

/**
 * Size of HAProxy's ring buffer in bytes, which is enough for about 55,000 access log lines. If the daemon is not
 * running, the buffer is full after half a minute at the highest rate.
 */
const RING_BYTES = 4 * 1024 * 1024;
/**
 * Maximum number of entries in the HAProxy stick table with the request counters. It must be larger than the maximum
 * number of apps. Otherwise HAProxy would evict entries, and the counters of those apps would restart at 0.
 */
const COUNTED_BACKENDS = '64k';

const RING = 'access';
/**
 * Name of the HAProxy stick table that contains the request counters. Each app has three counters: received requests,
 * written log lines, and requests that HAProxy did not log on purpose.
 */
export const COUNTS = 'access-counts';
const RATE = 'txn.access_rate';
const LEFT_OUT = 'txn.access_left_out';

/**
 * Names of the HAProxy frontend and of two HAProxy variables. The values of these variables are written to the access
 * log.
 */
export interface AccessNames {
  frontend: string;
  /**
   * Name of the HAProxy variable with the backend of the request, for example `txn.backend`. Names of app backends
   * start with `b`.
   */
  backend: string;
  /** Name of the HAProxy variable with the host name of the request, in lower case, without port and trailing dot. */
  host: string;
}

/** Lines of the HAProxy configuration for the access log, without indentation. */
export interface AccessLogLines {
  /**
   * Lines for the section `global` of the HAProxy configuration. They let each HAProxy process store its start time in
   * milliseconds. The access log identifies the process by this time.
   */
  global: string[];
  /** Sections of the HAProxy configuration that define the ring buffer and the stick table of the access log. */
  sections: string;
  frontend: string[];
  /**
   * HAProxy `http-request` rules for the frontend. They must come after the rule that selects the backend, and before
   * all rules that send a response. Otherwise requests that such a rule answers would not be logged.
   * - `sc2` is the third of HAProxy's three sticky counters per request. The rules of hosts use the other two counters.
   * - `sc_inc_gpc(1,2)` increments the counter when HAProxy writes the line, so the numbers follow the order of the
   * lines.
   * - At a high request rate, a random number decides whether a request is logged.
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

/**
 * HAProxy expressions for the fields of an access log line. The parser of the log lines reads the fields in the same
 * order.
 */
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

/** Parses an access log line. @returns `null` if the text is not a line about a request for an app */
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
