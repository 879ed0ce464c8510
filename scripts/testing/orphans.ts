import { readdir, readFile } from 'node:fs/promises';

/**
 * Environment variable with a unique value for each test file. A process with the variable was started by that file,
 * even if it is detached. A test must start a process without the variable if the process should outlive the test.
 */
export const MARK = 'DAVIT_TEST_RUN';

async function carriers(mark: string): Promise<number[]> {
  const wanted = `${MARK}=${mark}`;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process that ended in the meantime, or that belongs to another user, was not started by a test.
      const environ = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environ.split('\0').includes(wanted) ? pid : null;
    }),
  );
  return found.filter((pid): pid is number => pid !== null && pid !== process.pid);
}

/**
 * Ends all processes with the mark, until none is left.
 * @returns the number of ended processes
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
        // The process ended before the signal, which is the intended result.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return ended.size;
}
