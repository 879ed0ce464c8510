/** Resource use of a process according to the kernel. */
import { readFile } from 'node:fs/promises';

/** Time in milliseconds of a kernel tick, which is 10 ms on all supported machines. */
const TICK_MS = 10;

/** Returns the resident memory of a process in MiB. */
export async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** Returns the processor time of processes in milliseconds, user and system time of all threads. */
export async function cpuMs(pids: readonly number[]): Promise<number> {
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_MS;
}
