/**
 * What the proxy tells of each request for an app, and how it gets to the daemon: the parts of its configuration. Pure.
 *
 * A line goes through a ring in the proxy's memory to a port of the daemon, many lines in one write. While the daemon is
 * away the ring keeps the newest of them. Rejected: datagrams to a port. Measured on the same two cores with one line a
 * request, the ring let 36,700 requests/s through and took the reader 3 µs a line; datagrams 17,100 and 14 µs, and nothing of
 * what is sent while the daemon is away arrives.
 *
 * No path and no query is in a line: they may hold secrets, and nothing here needs them.
 *
 * Counters of each app, in the proxy's memory, make a line say by itself what is not there: how many lines there were, and how
 * many requests were left out of them on purpose. So a line that follows another one tells exactly how many requests ended
 * and how many lines were lost in between. They begin at 0 with each process, which is named in the line.
 */

import type { AccessLine } from '../access-log.ts';

/** Where the daemon listens for lines. */
export interface AccessLogTarget {
  /** Of the loopback address. A socket in a folder was rejected: where nobody listens, a ring asks there without a pause. */
  port: number;
  /** In front of every line: what others on the machine write is not believed. Letters and digits. */
  token: string;
}

/** Beyond this rate only some requests get a line, and every line says of which rate it is a part. */
export const MOST_LINES_PER_S = 2_000;
/**
 * How many a second do then. A line wakes another thread while it holds the ring: where all cores are busy, 2,000 a second
 * took a sixth of the proxy's time in waiting for it.
 */
const DRAWN_LINES_PER_S = 200;

/** Some 55,000 lines: half a minute of the daemon's absence at the highest rate. */
const RING_BYTES = 4 * 1024 * 1024;
/** More backends than a table may have: an entry that had to go would begin its counts anew. */
const COUNTED_BACKENDS = '64k';

const RING = 'access';
/** The table with each app's counters: requests that came, lines, and requests that were left out of them on purpose. */
export const COUNTS = 'access-counts';
const RATE = 'txn.access_rate';
const LEFT_OUT = 'txn.access_left_out';

/** Where the frontend has what a line tells. */
export interface AccessNames {
  frontend: string;
  /** The variable that names the backend of the request's host, such as `txn.backend`; apps' begin with `b`. */
  backend: string;
  /** The variable with the request's host in its one spelling. */
  host: string;
}

/** Lines of the configuration, without indentation. */
export interface AccessLogLines {
  /** Of `global`. A process is named by when it read its configuration, in milliseconds. */
  global: string[];
  /** Sections of their own, whole. */
  sections: string;
  /** Of the frontend. */
  frontend: string[];
  /**
   * Of the frontend, behind the rule that finds the backend and before all that answers by itself: what is answered before
   * is on no record.
   * - `sc2`: the third of three counters that a request may have; the others are left to rules.
   * - `sc_inc_gpc(1,2)` counts while a line is written: lines are numbered in the order in which they arrive.
   * - A draw below the share of lines that are wanted of this rate.
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

/** In the order in which {@link parseAccessLine} reads them. */
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

/** @returns null for what is no line of an app's request */
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
