/**
 * The processes of a program that was started inside an instance. Closing the connection to it leaves it running there, and
 * the engine has no call that ends it: it is ended from outside, by the kernel's list of processes, which shows those of
 * containers too. An image need not have a shell or a `kill` for that.
 */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { DockerContext } from '../context.ts';

/** One process of a session. */
export interface SessionProcess {
  pid: number;
  /** Its number inside the container. */
  inside: number;
}

/**
 * What runs in the session of a container's process; nothing where the processes of the engine are not to be seen.
 * @param leader the number, on this machine, of the process that began the session
 * @param container its engine id: a number that means another process by now is left alone
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
    // It has ended since the list was read.
    return null;
  }
}

/** The session in a process's line: the sixth field, behind a name that may have spaces and brackets in it. */
export function sessionIn(stat: string): number {
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(session);
}

/** What a program is first asked with, and then not asked any more. */
export type EndSignal = 'SIGHUP' | 'SIGTERM' | 'SIGKILL';

/** Signals processes of a container; where this user may not, the engine does it from inside, by the image's shell. */
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

/** False: it is another user's. */
function isSignalled(pid: number, signal: EndSignal): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

const LOOK_AGAIN_MS = 10;

/** How long a program has to put its things in order when it is told to end. */
const GRACE_MS = 2_000;

/** How often what is left of it is looked for after that: a process may start another while it is being killed. */
const KILLING_PASSES = 10;

/** Tells a program and all that it has begun to end, and kills what is left of them. @param leader as of {@link sessionOf} */
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
