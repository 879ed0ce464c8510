/**
 * Pure functions that create HAProxy's access log configuration. HAProxy sends one line per request from a ring buffer
 * to a TCP port of the daemon.
 */

import type { AccessLine } from '../access-log.ts';

/** TCP port and token with which HAProxy sends its access log to the daemon. */
export interface AccessLogTarget {
  /**
   * TCP port on the loopback address for the access log. A Unix socket is not used. While the daemon is stopped,
   * HAProxy would reconnect to a Unix socket without pauses.
   */
  port: number;
  /**
   * Letters and digits at the start of every access log line. The daemon ignores lines without this token, because any
   * local process can send data to the port.
   */
  token: string;
}

/**
 * Maximum request rate per second at which HAProxy logs every request. At a higher rate, HAProxy logs only a sample of
 * the requests.
 */
export const MOST_LINES_PER_S = 2_000;
/**
 * Number of access log lines per second when HAProxy logs only a sample of the requests. With 2,000 lines per second,
 * HAProxy would spend a sixth of its time on the log.
 */
const DRAWN_LINES_PER_S = 200;

/**
 * Size of HAProxy's ring buffer in bytes. The buffer holds about 55,000 access log lines, which is half a minute at the
 * highest rate.
 */
const RING_BYTES = 4 * 1024 * 1024;
/**
 * Maximum number of apps with request counters. If there were more apps than counters, HAProxy would reset counters
 * that are in use.
 */
const COUNTED_BACKENDS = '64k';

/**
 * Name of HAProxy's ring buffer. The ring buffer stores access log lines while the daemon is stopped. With UDP, HAProxy
 * handled only 17,100 instead of 36,700 requests per second.
 */
const RING = 'access';
/**
 * Name of the HAProxy stick table with three counters per app. The counters are the received requests, the written log
 * lines, and the requests that are intentionally not logged.
 */
export const COUNTS = 'access-counts';
const RATE = 'txn.access_rate';
const LEFT_OUT = 'txn.access_left_out';

/**
 * Names of the HAProxy frontend and of two HAProxy variables. HAProxy writes the values of these variables to the
 * access log.
 */
export interface AccessNames {
  frontend: string;
  /**
   * Name of the HAProxy variable that contains the backend of the request, for example `txn.backend`. Backend names of
   * apps start with `b`.
   */
  backend: string;
  /**
   * Name of the HAProxy variable that contains the host name of the request. The host name is in lower case, without
   * port and trailing dot.
   */
  host: string;
}

/** Lines of the HAProxy configuration for the access log, without indentation. */
export interface AccessLogLines {
  /**
   * Lines for the section `global` of the HAProxy configuration. The lines store the start time of the HAProxy process
   * in milliseconds, which identifies the process in the access log.
   */
  global: string[];
  /** Sections of the HAProxy configuration that define the ring buffer and the stick table of the access log. */
  sections: string;
  frontend: string[];
  /**
   * HAProxy `http-request` rules that log requests. To log all requests, the rules must come after the backend
   * selection and before all rules that send a response.
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
      // `sc2` is the third of HAProxy's sticky counters. The first two sticky counters are used for the rules of hosts.
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
 * Fields of an access log line, in the order that the parser expects. The fields exclude the URL's path and query,
 * because these may contain secrets.
 */
const FIELDS: ((names: AccessNames) => string)[] = [
  // The start time identifies the HAProxy process. Each process starts its counters at 0.
  () => '%[var(proc.access_began)]',
  ({ backend }) => `%[var(${backend})]`,
  // HAProxy increments this number with each written log line. A gap in the numbers means that lines were lost.
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

/**
 * Parses an access log line.
 * @returns `null` if the text is not an access log line about a request to an app
 */
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
