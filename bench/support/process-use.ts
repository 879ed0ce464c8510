/** What a process takes, as the kernel counts it. */
import { readFile } from 'node:fs/promises';

/** The kernel's tick for processes: a hundredth of a second on every machine that this runs on. */
const TICK_MS = 10;

/** The resident memory of a process. */
export async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** Milliseconds of processor time that processes have used, user and system, all of their threads. */
export async function cpuMs(pids: readonly number[]): Promise<number> {
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_MS;
}
