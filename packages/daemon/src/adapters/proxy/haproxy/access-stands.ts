/**
 * What a worker has counted of requests, asked of it where lines do not tell. From when it stops, a worker passes no line of
 * its ring on: what it still answers, and what had not left the ring, is told of by nobody.
 */
import type { AccessStand } from '../access-log.ts';
import { COUNTS } from './access-log.ts';
import type { Generation } from './containers.ts';
import { askWorkers } from './workers.ts';

const COMMANDS = ['get var proc.access_began', `show table ${COUNTS}`];

/** Of every worker of a generation that answers, those that stop too: they count nothing new. */
export async function readStands(generation: Generation): Promise<AccessStand[]> {
  return (await askWorkers(generation, COMMANDS)).flatMap(parseStands);
}

/** Reads the answers of a worker; empty when it counts nothing. */
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
