import { readdir, readFile } from 'node:fs/promises';

/**
 * Every test file runs with this variable set to a value of its own; a process that carries it was started by that file,
 * however it was detached. What a test starts on purpose to outlive it has to be started without the variable.
 */
export const MARK = 'DAVIT_TEST_RUN';

async function carriers(mark: string): Promise<number[]> {
  const wanted = `${MARK}=${mark}`;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process that ended meanwhile, or that belongs to somebody else, is none of ours.
      const environ = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environ.split('\0').includes(wanted) ? pid : null;
    }),
  );
  return found.filter((pid): pid is number => pid !== null && pid !== process.pid);
}

/**
 * Ends every process that carries the mark, until none is left.
 * @returns how many were ended
 */
export async function endCarriers(mark: string): Promise<number> {
  const ended = new Set<number>();
  for (let round = 0; round < 20; round += 1) {
    const pids = await carriers(mark);
    if (pids.length === 0) break;
    for (const pid of pids) {
      ended.add(pid);
      try {
        process.kill(pid, 'SIGKILL');
      } catch (error) {
        // Gone between the look and the signal, which is what was wanted.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return ended.size;
}
