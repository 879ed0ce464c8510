/**
 * Finds, reloads and ends HAProxy workers, which are the processes that handle requests. After a reload, the old worker
 * exits when its open requests have ended.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Generation } from './containers.ts';
import {
  type Processes,
  parseInfo,
  parseOpenConnections,
  parseProcesses,
  RuntimeUnreachable,
  requestReload,
  sendCommands,
} from './runtime.ts';

/** Error for a reload in which the new HAProxy worker did not start. The old worker keeps running. */
export class ReloadFailed extends Error {
  override name = 'ReloadFailed';
}

const RELOAD_TIMEOUT_MS = 15_000;

/**
 * Starts a new HAProxy worker and waits until it responds. If the new worker fails, the old worker keeps running.
 * @throws ReloadFailed
 * @throws RuntimeUnreachable if the container may have exited
 */
export async function reloadWorker({ socket, master }: Generation, isTrusted: () => boolean): Promise<void> {
  const before = await processes(master);
  await requestReload(master);
  const deadline = performance.now() + RELOAD_TIMEOUT_MS;
  while (performance.now() < deadline) {
    /*
     * During a reload, the HAProxy master process restarts and does not respond. A failed query is therefore not an
     * error.
     */
    const now = await processes(master).catch(unreachableIsNull);
    // `isTrusted` returns `false` after a Docker event of the container, because the container may have exited.
    if (now === null && !isTrusted())
      throw new RuntimeUnreachable('the container of the proxy was replaced during the reload');
    if (now !== null && now.failedReloads > before.failedReloads) {
      throw new ReloadFailed(
        'The proxy could not load its new configuration and keeps the old one. Find the reason in the log of the proxy.',
      );
    }
    if (now?.worker && now.worker !== before.worker && (await hasTakenOver(socket, master, now))) return;
    await delay(10);
  }
  throw new Error(
    `The proxy did not reload within ${RELOAD_TIMEOUT_MS / 1000} s. Find the reason in the log of the proxy.`,
  );
}

/**
 * Returns whether only the new HAProxy worker accepts commands on the runtime socket. Commands to the old worker would
 * be lost when it exits.
 */
async function hasTakenOver(socket: string, master: string, now: Processes): Promise<boolean> {
  const answers = await sendCommands(
    master,
    now.oldWorkers.map((pid) => `@!${pid} show info`),
  ).catch(unreachableIsNull);
  if (answers === null || answers.some((answer) => answer.includes('Pid: ') && !parseInfo(answer).stopping))
    return false;
  const [info = ''] = (await sendCommands(socket, ['show info']).catch(unreachableIsNull)) ?? [];
  return parseInfo(info).pid === now.worker;
}

/** Returns the number of open connections to a server, summed over all processes of all HAProxy containers. */
export async function countOpenConnections(
  current: Generation,
  retiring: Generation[],
  backend: string,
  server: string,
): Promise<number> {
  const all = await Promise.all([countIn(current, backend, server), ...retiring.map(countInRetiring)]);
  return all.reduce((sum, count) => sum + count, 0);

  async function countInRetiring(generation: Generation): Promise<number> {
    return (await countIn(generation, backend, server).catch(unreachableIsNull)) ?? 0;
  }
}

async function countIn({ master }: Generation, backend: string, server: string): Promise<number> {
  const { worker, oldWorkers } = await processes(master);
  const countOf = async (pid: number) => {
    const [answer = ''] = await sendCommands(master, [`@!${pid} show servers conn ${backend}`]);
    return parseOpenConnections(answer, backend, server);
  };
  const counts = await Promise.all([
    worker === null ? 0 : countOf(worker),
    // An HAProxy process that has exited has no open connections.
    ...oldWorkers.map(async (pid) => (await countOf(pid).catch(unreachableIsNull)) ?? 0),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Sends commands to each worker of an HAProxy container. Returns one list of responses per worker. The result omits
 * workers that have exited.
 */
export async function queryWorkers({ master }: Generation, commands: string[]): Promise<string[][]> {
  const now = await processes(master).catch(unreachableIsNull);
  if (now === null) return [];
  const pids = [...(now.worker === null ? [] : [now.worker]), ...now.oldWorkers];
  const query = (pid: number) =>
    sendCommands(
      master,
      commands.map((command) => `@!${pid} ${command}`),
    ).catch(unreachableIsNull);
  return (await Promise.all(pids.map(query))).filter((answers) => answers !== null);
}

async function processes(master: string): Promise<Processes> {
  const [answer = ''] = await sendCommands(master, ['show proc']);
  return parseProcesses(answer);
}

function unreachableIsNull(error: unknown): null {
  if (error instanceof RuntimeUnreachable) return null;
  throw error;
}
