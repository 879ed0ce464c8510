/**
 * A test file with a network of its own. A browser drops its connections whenever an interface of its network comes or goes,
 * which those of containers do all the time; what runs here knows nothing of those.
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Collected, emptyResult } from './collect-files.ts';

/** What the process in the other network is asked. The mark is in `env` alone: what ends the files leaves that process. */
export interface Asked {
  files: string[];
  root: string;
  env: NodeJS.ProcessEnv;
}

/**
 * For `ip -batch`. A browser that has the loopback interface alone takes itself to be offline. The others get no address of
 * their own making, which would come when it runs already.
 */
export const NETWORK = `
link set lo up
link add davit0 type veth peer name davit1
link set davit0 addrgenmode none
link set davit1 addrgenmode none
address add 192.0.2.1/24 dev davit0
link set davit0 up
link set davit1 up
`;

function enter(command: string[], options: SpawnOptions) {
  return spawn('unshare', ['--net', '--', ...command], options);
}

/** Whether this user of this machine may make networks. */
export async function canBeApart(): Promise<boolean> {
  const child = enter(['ip', '-batch', '-'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(child, 'exit').catch(() => [1]);
  child.stdin?.on('error', () => child.kill()).end(NETWORK);
  const [code] = await ended;
  return code === 0;
}

/** Runs test files in a process of their own on a network of its own, until that ends. @param env all of its environment */
export async function collectApart(files: string[], root: string, env: NodeJS.ProcessEnv): Promise<Collected> {
  const child = enter([process.execPath, join(import.meta.dirname, 'run-apart.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let collected: Collected | null = null;
  child.on('message', (message) => {
    collected = message as Collected;
  });
  const ended = once(child, 'close');
  // One that is gone already says so by its end.
  child.send({ files, root, env } satisfies Asked, () => undefined);
  const [code, signal] = await ended;
  if (collected !== null) return collected;
  const output = `What runs it with a network of its own ended: ${signal ?? `exit code ${code}`}.\n`;
  return { results: files.map((file) => ({ ...emptyResult(file), output })), isBroken: true };
}
