/**
 * Request counts of all apps in one time step, for example of 10 seconds. Davit saves the counts of each time step in
 * SQLite as binary data. The data starts with an index of all app ids. For each app id, the index contains the position
 * of the app's counts. The length of the counts varies, so an app needs only about twenty bytes.
 */
import type { AccessLine } from '../../adapters/proxy/access-log.ts';
import { Durations, kindOf } from './durations.ts';
import type { TrafficGrowth } from './traffic-counts.ts';

export class AppTraffic {
  /** Number of requests to the app. Requests whose HAProxy log lines were lost are not included. */
  requests = 0;
  /** Number of requests to the app for which the HAProxy log line was lost. */
  missed = 0;
  /**
   * Number of requests to the app for which an HAProxy log line arrived. Status codes, response sizes and durations are
   * known only for these requests.
   */
  told = 0;
  /**
   * Number of HAProxy log lines that represent several requests. HAProxy writes such lines when it logs only some of
   * the requests (sampling).
   */
  sampled = 0;
  clientErrors = 0;
  serverErrors = 0;
  bytes = 0;
  readonly durations = new Durations();

  add({ status, ms, bytes, sampled }: AccessLine, { requests, missed }: TrafficGrowth): void {
    this.requests += requests;
    this.missed += Math.max(0, missed);
    this.told += 1;
    if (sampled) this.sampled += 1;
    if (status >= 500) this.serverErrors += 1;
    else if (status >= 400) this.clientErrors += 1;
    this.bytes += bytes;
    // Skip connections that switch to another protocol, for example WebSocket, because they have no response time.
    if (ms !== null && status !== 101) this.durations.add(kindOf(ms));
  }

  merge(other: AppTraffic): void {
    for (const field of FIELDS) this[field] += other[field];
    for (const [kind, count] of other.durations.entries()) this.durations.add(kind, count);
  }
}

const FIELDS = ['requests', 'missed', 'told', 'sampled', 'clientErrors', 'serverErrors', 'bytes'] as const;

export type StepTraffic = Map<number, AppTraffic>;

const WORD = 4;

export function encodeStep(step: ReadonlyMap<number, AppTraffic>): Uint8Array {
  const ids = [...step.keys()].sort((a, b) => a - b);
  const heads = Buffer.alloc(WORD + 2 * WORD * ids.length);
  const figures: number[] = [];
  heads.writeUInt32LE(ids.length);
  for (const [index, id] of ids.entries()) {
    heads.writeUInt32LE(id, WORD + 2 * WORD * index);
    heads.writeUInt32LE(figures.length, 2 * WORD + 2 * WORD * index);
    const app = step.get(id);
    if (app !== undefined) encodeApp(app, figures);
  }
  return Buffer.concat([heads, Buffer.from(figures)]);
}

/**
 * Reads the request counts of one app. Returns `null` if there are no counts for this app.
 * @param data encoded request counts of all apps in one time step
 */
export function readStep(data: Uint8Array, id: number): AppTraffic | null {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let [low, high] = [0, view.getUint32(0, true) - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const there = view.getUint32(WORD + 2 * WORD * middle, true);
    if (there === id) return appAt(view, middle);
    if (there < id) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}

/** Reads the request counts of all apps from `data`, and adds them to the counts in `into`. */
export function mergeStep(into: StepTraffic, data: Uint8Array): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let index = 0; index < view.getUint32(0, true); index += 1) {
    const id = view.getUint32(WORD + 2 * WORD * index, true);
    const sum = into.get(id) ?? new AppTraffic();
    into.set(id, sum);
    sum.merge(appAt(view, index));
  }
}

function appAt(view: DataView, index: number): AppTraffic {
  const count = view.getUint32(0, true);
  const figures = WORD + 2 * WORD * count;
  const from = figures + view.getUint32(2 * WORD + 2 * WORD * index, true);
  const to = index + 1 < count ? figures + view.getUint32(2 * WORD + 2 * WORD * (index + 1), true) : view.byteLength;
  return decodeApp(new Uint8Array(view.buffer, view.byteOffset + from, to - from));
}

function encodeApp(app: AppTraffic, into: number[]): void {
  for (const field of FIELDS) encodeNumber(app[field], into);
  let last = 0;
  for (const [kind, count] of app.durations.entries()) {
    encodeNumber(kind - last, into);
    encodeNumber(count, into);
    last = kind;
  }
}

function decodeApp(bytes: Uint8Array): AppTraffic {
  const app = new AppTraffic();
  const numbers = decodeNumbers(bytes);
  for (const [index, field] of FIELDS.entries()) app[field] = numbers[index] ?? 0;
  let kind = 0;
  for (let at = FIELDS.length; at + 1 < numbers.length; at += 2) {
    kind += numbers[at] ?? 0;
    app.durations.add(kind, numbers[at + 1]);
  }
  return app;
}

/**
 * Encodes a number with seven bits per byte, lowest bits first. The eighth bit of a byte is set if another byte
 * follows.
 */
function encodeNumber(value: number, into: number[]): void {
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) into.push((rest % 128) + 128);
  into.push(rest);
}

function decodeNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let [value, scale] = [0, 1];
  for (const byte of bytes) {
    value += (byte % 128) * scale;
    scale *= 128;
    if (byte >= 128) continue;
    numbers.push(value);
    [value, scale] = [0, 1];
  }
  return numbers;
}
