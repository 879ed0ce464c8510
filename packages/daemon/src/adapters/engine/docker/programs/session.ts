/**
 * Processes of a program inside a container. The program keeps running after its connection is closed, and the Engine
 * API has no call that ends it. The daemon therefore finds the processes in the kernel's process list, which includes
 * processes of containers. The image needs no shell and no `kill` for this.
 */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { DockerContext } from '../context.ts';

export interface SessionProcess {
  pid: number;
  /** Process id inside the container. */
  inside: number;
}

/**
 * Returns the processes in the session of a container's process. Returns none if the engine's processes are not visible
 * to the daemon.
 * @param leader process id, on this server, of the process that started the session
 * @param container container id of the engine; a process id that now belongs to another container is ignored
 */
export async function sessionOf(leader: number, container: string): Promise<SessionProcess[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => member(Number(pid), leader, container)));
  return found.filter((one) => one !== null);
}

async function member(pid: number, leader: number, container: string): Promise<SessionProcess | null> {
  try {
    if (sessionIn(await readFile(`/proc/${pid}/stat`, 'utf8')) !== leader) return null;
    if (!(await readFile(`/proc/${pid}/cgroup`, 'utf8')).includes(container)) return null;
    const inside = /^NSpid:.*\s(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
    return { pid, inside: Number(inside ?? pid) };
  } catch {
    // The process has exited since the list was read.
    return null;
  }
}

/**
 * Returns the session of a line in `/proc/<pid>/stat`. The session is the sixth field. The second field is a name that
 * can contain spaces and brackets.
 */
export function sessionIn(stat: string): number {
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(session);
}

/** Signals that end a program: first a request, finally SIGKILL. */
export type EndSignal = 'SIGHUP' | 'SIGTERM' | 'SIGKILL';

/**
 * Sends a signal to processes of a container. If the daemon's user lacks the permission, the engine runs `kill` with
 * the shell of the image.
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
  const doing = 'end program';
  const script = 'kill -s "$0" "$@"';
  const Cmd = ['/bin/sh', '-c', script, signal.slice('SIG'.length), ...refused.map(({ inside }) => String(inside))];
  const path = `/containers/${container}/exec`;
  const { Id } = await client.call<{ Id: string }>({ doing, method: 'POST', path, body: { Cmd, User: '0' } });
  await client.call({ doing, method: 'POST', path: `/exec/${Id}/start`, body: { Detach: true } });
}

/** Returns `false` if the process belongs to another user. */
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

/** Maximum number of passes that search for remaining processes. A process may start another one while it is killed. */
const KILLING_PASSES = 10;

/**
 * Sends SIGTERM to a program and all processes that it started, and kills the remaining ones after a grace period.
 * @param leader see {@link sessionOf}
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
