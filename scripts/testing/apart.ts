/**
 * Runs test files in a separate network. A browser drops its connections when an interface of its network appears or
 * disappears, which happens with every container. The separate network has no such interfaces.
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Collected, emptyResult } from './collect-files.ts';

/**
 * Request to the process in the separate network. Only `env` contains the mark, so ending the marked processes does not
 * end that process.
 */
export interface ApartRequest {
  files: string[];
  root: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Commands for `ip -batch`. A browser with only a loopback interface considers itself offline. The other interfaces get
 * no automatic addresses, because these would appear while the browser runs.
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

/** Returns whether this user may create networks on this machine. */
export async function canBeApart(): Promise<boolean> {
  const child = enter(['ip', '-batch', '-'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(child, 'exit').catch(() => [1]);
  child.stdin?.on('error', () => child.kill()).end(NETWORK);
  const [code] = await ended;
  return code === 0;
}

/**
 * Runs test files in a separate process and network, and waits for their end.
 * @param env complete environment of the process
 */
export async function collectApart(files: string[], root: string, env: NodeJS.ProcessEnv): Promise<Collected> {
  const child = enter([process.execPath, join(import.meta.dirname, 'run-apart.ts')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let collected: Collected | null = null;
  child.on('message', (message) => {
    collected = message as Collected;
  });
  const ended = once(child, 'close');
  // If the process has already ended, its exit reports the reason.
  child.send({ files, root, env } satisfies ApartRequest, () => undefined);
  const [code, signal] = await ended;
  if (collected !== null) return collected;
  const output = `What runs it with a network of its own ended: ${signal ?? `exit code ${code}`}.\n`;
  return { results: files.map((file) => ({ ...emptyResult(file), output })), isBroken: true };
}
