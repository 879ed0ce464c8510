/**
 * Reads the final request counters of HAProxy workers that are shutting down. These workers do not send the last log
 * lines in their ring buffer.
 */
import type { AccessStand } from '../access-log.ts';
import { COUNTS } from './access-log.ts';
import type { Generation } from './containers.ts';
import { queryWorkers } from './workers.ts';

const COMMANDS = ['get var proc.access_began', `show table ${COUNTS}`];

/**
 * Returns the request counters of all HAProxy workers in a container, including workers that are shutting down. The
 * result omits workers that do not respond.
 */
export async function readStands(generation: Generation): Promise<AccessStand[]> {
  return (await queryWorkers(generation, COMMANDS)).flatMap(parseStands);
}

/**
 * Parses one HAProxy worker's output of `get var` and `show table`.
 * @returns an empty list if the worker has no request counters
 */
export function parseStands([began = '', table = '']: string[]): AccessStand[] {
  const process = Number(/value=<(\d+)>/.exec(began)?.[1] ?? Number.NaN);
  if (!Number.isSafeInteger(process)) return [];
  return [...table.matchAll(/ key=b(\d+) .*\bgpc0=(\d+) gpc1=(\d+)/g)].map(([, slot, requests, lines]) => ({
    process,
    slot: Number(slot),
    lines: Number(lines),
    requests: Number(requests),
  }));
}
