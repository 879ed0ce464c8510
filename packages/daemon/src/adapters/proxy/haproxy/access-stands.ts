/**
 * Reads the request counters of workers for requests without a line. A worker that stops no longer sends the lines of
 * its ring. The counts would otherwise lack the worker's last requests and the lines that are still in its ring.
 */
import type { AccessStand } from '../access-log.ts';
import { COUNTS } from './access-log.ts';
import type { Generation } from './containers.ts';
import { askWorkers } from './workers.ts';

const COMMANDS = ['get var proc.access_began', `show table ${COUNTS}`];

/**
 * Returns the counters of all workers of a generation that respond, including workers that are stopping. Stopping
 * workers count no new requests.
 */
export async function readStands(generation: Generation): Promise<AccessStand[]> {
  return (await askWorkers(generation, COMMANDS)).flatMap(parseStands);
}

/** Parses the output of a worker. @returns an empty list if the worker counts nothing */
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
