/** Measures the maximum rate of requests with wrk: several clients, each with one request at a time. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const CLIENTS = 16;

export interface WrkRun {
  perSecond: number;
  /** Median in milliseconds. */
  p50: number;
  p99: number;
}

/** A request that wrk sends. */
export interface WrkRequest {
  path: string;
  headers: Record<string, string>;
}

/**
 * Requests the paths in random order, for some seconds.
 * @throws Error if a response was not 2xx, or if a connection broke
 */
export function wrk(url: string, paths: string[], key: string, seconds: number): Promise<WrkRun> {
  const headers = { Authorization: `Bearer ${key}` };
  return wrkRequests(
    url,
    paths.map((path) => ({ path, headers })),
    { seconds },
  );
}

/**
 * Sends the requests in random order, for some seconds.
 * @param core processor core that the generator may use
 * @throws Error if a response was not 2xx, or if a connection broke
 */
export async function wrkRequests(
  url: string,
  requests: WrkRequest[],
  { seconds, core }: { seconds: number; core?: number },
): Promise<WrkRun> {
  const folder = await mkdtemp(join(tmpdir(), 'davit-wrk-'));
  try {
    const script = join(folder, 'paths.lua');
    await writeFile(script, luaScript(requests));
    const command = ['wrk', '-t1', `-c${CLIENTS}`, `-d${seconds}s`, '-s', script, url];
    const [file = '', ...args] = core === undefined ? command : ['taskset', '-c', String(core), ...command];
    const { stdout } = await promisify(execFile)(file, args);
    const [, perSecond, p50, p99, errors] = /figures ([\d.]+) ([\d.]+) ([\d.]+) (\d+)/.exec(stdout) ?? [];
    if (errors !== '0') throw new Error(`${url}: ${errors ?? 'an unknown number of'} requests failed:\n${stdout}`);
    return { perSecond: Number(perSecond), p50: Number(p50), p99: Number(p99) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Returns a script that assembles all requests before the measurement, because the generator and the measured server
 * share the machine.
 */
function luaScript(requests: WrkRequest[]): string {
  const table = (headers: Record<string, string>) =>
    Object.entries(headers).map(([name, value]) => `[${JSON.stringify(name)}]=${JSON.stringify(value)}`);
  const each = requests.map(({ path, headers }) => `{${JSON.stringify(path)},{${table(headers).join(',')}}}`);
  return `
local inputs = {${each.join(',\n')}}
local requests = {}
function init()
  math.randomseed(1)
  for i, one in ipairs(inputs) do requests[i] = wrk.format('GET', one[1], one[2]) end
end
function request() return requests[math.random(#requests)] end
function done(summary, latency)
  local e = summary.errors
  local errors = e.connect + e.read + e.write + e.status + e.timeout
  io.write(string.format('figures %f %f %f %d\\n', summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, errors))
end
`;
}
