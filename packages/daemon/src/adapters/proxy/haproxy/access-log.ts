/**
 * Renders HAProxy's access log configuration. HAProxy sends one line per request from a ring buffer to a TCP port of
 * the daemon. Pure functions.
 */

import type { AccessLine } from '../access-log.ts';

/** TCP port and token with which HAProxy sends its access log to the daemon. */
export interface AccessLogTarget {
  /**
   * TCP port on the loopback address for the access log. HAProxy would retry a connection to a Unix socket without
   * pauses while the daemon is stopped.
   */
  port: number;
  /**
   * Letters and digits at the start of every access log line. The daemon ignores other lines, because any local process
   * can send to the port.
   */
  token: string;
}

/**
 * Maximum number of requests per second for which HAProxy logs every request. At a higher rate, HAProxy logs only a
 * sample of the requests.
 */
export const MOST_LINES_PER_S = 2_000;
/**
 * Access log lines per second while HAProxy logs only a sample of the requests. Writing 2,000 lines per second took a
 * sixth of HAProxy's time.
 */
const DRAWN_LINES_PER_S = 200;

/**
 * Size of HAProxy's ring buffer in bytes: about 55,000 access log lines, which is half a minute at the highest rate.
 */
const RING_BYTES = 4 * 1024 * 1024;
/**
 * Maximum number of apps with request counters. It must exceed the number of apps, because HAProxy would reset the
 * counters of other apps.
 */
const COUNTED_BACKENDS = '64k';

/**
 * Name of HAProxy's ring buffer, which keeps access log lines while the daemon is stopped. With UDP, HAProxy handled
 * only 17,100 instead of 36,700 requests/s.
 */
const RING = 'access';
/**
 * Name of the HAProxy stick table with three counters per app: received requests, written log lines, and requests not
 * logged on purpose.
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
   * Lines for the section `global`. They store the start time of the HAProxy process in ms, which identifies the
   * process in the access log.
   */
  global: string[];
  /** Sections of the HAProxy configuration that define the ring buffer and the stick table of the access log. */
  sections: string;
  frontend: string[];
  /**
   * HAProxy `http-request` rules. They must come after the backend selection and before all rules that send a response,
   * so that all requests are logged.
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
      // `sc2` is the third of HAProxy's sticky counters. The rules of hosts use the other two.
      `http-request track-sc2 var(${names.backend}) table ${COUNTS} if ${isApp} !{ stopping }`,
      'http-request sc-inc-gpc(0,2)',
      `http-request set-var(${RATE}) fe_req_rate(${names.frontend})`,
      // At a high request rate, a random number decides whether a request is logged.
      `http-request set-var(${LEFT_OUT}) bool(true) if { var(${RATE}) -m int gt ${MOST_LINES_PER_S} } { rand(65536),mul(${RATE}),div(65536) ge ${DRAWN_LINES_PER_S} }`,
      `http-request set-log-level silent if { var(${LEFT_OUT}) -m found }`,
      `http-request sc-inc-gpc(2,2) if { var(${LEFT_OUT}) -m found }`,
    ],
  };
}

/**
 * Fields of a log line, in the order that the parser reads. They exclude the URL's path and query, which may contain
 * secrets.
 */
const FIELDS: ((names: AccessNames) => string)[] = [
  // Identifies the HAProxy process, because the counters start at 0 in each process.
  () => '%[var(proc.access_began)]',
  ({ backend }) => `%[var(${backend})]`,
  // HAProxy counts each line when it writes the line, so a gap in the numbers means lost lines.
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
