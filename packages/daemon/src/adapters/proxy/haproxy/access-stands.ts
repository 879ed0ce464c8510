/**
 * Reads the final request counters of HAProxy workers that are shutting down, because such a worker does not send the
 * log lines in its ring buffer.
 */
import type { AccessStand } from '../access-log.ts';
import { COUNTS } from './access-log.ts';
import type { Generation } from './containers.ts';
import { queryWorkers } from './workers.ts';

const COMMANDS = ['get var proc.access_began', `show table ${COUNTS}`];

/**
 * Returns the request counters of all HAProxy workers in a container. Includes workers that are shutting down. Omits
 * workers that do not respond.
 */
export async function readStands(generation: Generation): Promise<AccessStand[]> {
  return (await queryWorkers(generation, COMMANDS)).flatMap(parseStands);
}

/**
 * Parses the output of `get var` and `show table` of one HAProxy worker.
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
