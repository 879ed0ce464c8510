/**
 * Kills programs that Docker's exec API started in running containers. Docker has no request for this, so the processes
 * are found in the server's `/proc`.
 */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { DockerContext } from '../context.ts';

export interface SessionProcess {
  pid: number;
  /** Process id in the PID namespace of the container. */
  inside: number;
}

/**
 * Returns all processes in the Unix session of a program. If the daemon cannot see processes of containers, the result
 * is empty.
 * @param leader process id of the program on the server
 */
export async function sessionOf(leader: number, container: string): Promise<SessionProcess[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => member(Number(pid), leader, container)));
  return found.filter((one) => one !== null);
}

async function member(pid: number, leader: number, container: string): Promise<SessionProcess | null> {
  try {
    if (sessionIn(await readFile(`/proc/${pid}/stat`, 'utf8')) !== leader) return null;
    // Linux can reuse process ids, so the process could belong to another container.
    if (!(await readFile(`/proc/${pid}/cgroup`, 'utf8')).includes(container)) return null;
    const inside = /^NSpid:.*\s(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { pid, inside: Number(inside ?? pid) };
  } catch {
    // Ignores processes that exited after `/proc` was listed.
    return null;
  }
}

/**
 * Returns the Unix session id from the content of `/proc/<pid>/stat`. Parsing starts after the process name, because
 * the name can contain spaces and brackets.
 */
export function sessionIn(stat: string): number {
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(session);
}

/**
 * Signals that end a program. After SIGHUP or SIGTERM, the program can finish its work before it exits. SIGKILL ends
 * the program immediately.
 */
export type EndSignal = 'SIGHUP' | 'SIGTERM' | 'SIGKILL';

/**
 * Sends a signal to processes of a container. If the daemon has no permission to signal a process, the method runs
 * `kill` with `/bin/sh` in the container.
 */
export async function signalAll(
  context: DockerContext,
  container: string,
  processes: SessionProcess[],
  signal: EndSignal,
): Promise<void> {
  const refused = processes.filter(({ pid }) => !isSignalled(pid, signal));
  if (refused.length === 0) return;
  const { client } = context;
  const doing = 'stop program';
  const script = 'kill -s "$0" "$@"';
  const Cmd = ['/bin/sh', '-c', script, signal.slice('SIG'.length), ...refused.map(({ inside }) => String(inside))];
  const path = `/containers/${container}/exec`;
  const { Id } = await client.call<{ Id: string }>({ doing, method: 'POST', path, body: { Cmd, User: '0' } });
  await client.call({ doing, method: 'POST', path: `/exec/${Id}/start`, body: { Detach: true } });
}

/** Sends a signal to one process. Returns `false` if the daemon has no permission to send signals to the process. */
function isSignalled(pid: number, signal: EndSignal): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

const LOOK_AGAIN_MS = 10;

/** Time in milliseconds that a program has to exit after SIGTERM. */
const GRACE_MS = 2_000;

/**
 * Maximum number of times that all processes of a program get a signal. One time is not enough, because a process may
 * start another process before it dies.
 */
const KILLING_PASSES = 10;

/**
 * Sends SIGTERM to all processes in the Unix session of a program. After 2 seconds, sends SIGKILL.
 * @param leader id of the session's first process on the server
 */
export async function endSession(context: DockerContext, container: string, leader: number): Promise<void> {
  const started = performance.now();
  for (let pass = 0; pass < KILLING_PASSES; ) {
    const processes = await sessionOf(leader, container);
    if (processes.length === 0) return;
    const isOver = performance.now() > started + GRACE_MS;
    if (isOver || pass === 0) await signalAll(context, container, processes, isOver ? 'SIGKILL' : 'SIGTERM');
    pass += isOver || pass === 0 ? 1 : 0;
    await delay(LOOK_AGAIN_MS);
  }
}
