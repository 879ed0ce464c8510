/** Measures the resource usage of the server, from files of the Linux kernel. */
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { diskUse } from '../../adapters/engine/disk-use.ts';
import type { Counters } from './rates.ts';

export const CORES = availableParallelism();

export interface MachineReading {
  /** CPU ticks of the server (busy and total), and received and sent bytes of its network. */
  counters: Counters;
  memoryBytes: number;
  memoryTotalBytes: number;
  diskBytes: number;
  diskTotalBytes: number;
  load: number;
}

const INTERFACES = '/sys/class/net';

/**
 * Reads the resource usage of the server from files of the Linux kernel, such as `/proc/stat`. Returns `null` on
 * operating systems without these files.
 */
export async function readMachine(at: number, dataDir: string): Promise<MachineReading | null> {
  try {
    const [stat, memory, load, disk] = await Promise.all([
      readFile('/proc/stat', 'latin1'),
      readFile('/proc/meminfo', 'latin1'),
      readFile('/proc/loadavg', 'latin1'),
      diskUse(dataDir),
    ]);
    const [received, sent] = await traffic();
    const total = kilobytes(memory, 'MemTotal');
    return {
      counters: { at, counts: [...ticksOf(stat), received, sent] },
      memoryBytes: total - kilobytes(memory, 'MemAvailable'),
      memoryTotalBytes: total,
      diskBytes: disk.totalBytes - disk.freeBytes,
      diskTotalBytes: disk.totalBytes,
      load: Number.parseFloat(load),
    };
  } catch (error) {
    // On an operating system other than Linux, return `null`, so that only the apps are measured.
    if ((error as NodeJS.ErrnoException).code !== undefined) return null;
    throw error;
  }
}

/**
 * Returns the busy and total CPU ticks from the first line of `/proc/stat`: `cpu user nice system idle iowait irq
 * softirq steal …`.
 */
export function ticksOf(stat: string): [busy: number, all: number] {
  const line = stat.slice(0, stat.indexOf('\n'));
  // Omit the columns for guest time, because the column for user time already includes it.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, n) => sum + n, 0);
  return [all - (ticks[3] ?? 0) - (ticks[4] ?? 0), all];
}

function kilobytes(meminfo: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(meminfo)?.[1] ?? 0) * 1_024;
}

let interfaces: string[] | null = null;

/**
 * Returns the received and sent bytes of the server's physical network interfaces. Traffic between containers is not
 * included.
 */
async function traffic(): Promise<[received: number, sent: number]> {
  interfaces ??= wired();
  const count = async (name: string, what: 'rx' | 'tx') =>
    Number(await readFile(`${INTERFACES}/${name}/statistics/${what}_bytes`, 'latin1').catch(() => '0'));
  const received = await Promise.all(interfaces.map((name) => count(name, 'rx')));
  const sent = await Promise.all(interfaces.map((name) => count(name, 'tx')));
  return [received.reduce((sum, n) => sum + n, 0), sent.reduce((sum, n) => sum + n, 0)];
}

/**
 * Returns the physical network interfaces. In a container, no network interface is physical. In this case, returns all
 * interfaces except loopback.
 */
function wired(): string[] {
  const all = readdirSync(INTERFACES).filter((name) => name !== 'lo');
  const own = all.filter((name) => existsSync(`${INTERFACES}/${name}/device`));
  return own.length > 0 ? own : all;
}
