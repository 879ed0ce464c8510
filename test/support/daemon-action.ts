import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { daemonEnvironment } from './instance-environment.ts';

const MAIN = join(import.meta.dirname, '../../packages/daemon/src/main.mjs');

interface Event {
  kind: string;
  lines: string[];
  data: unknown;
}

export interface ActionOptions {
  env?: Record<string, string>;
  input?: string;
  /** Kills the action after the first event of this kind. */
  killAfter?: string;
}

/** Runs an action of the daemon program, such as `uninstall`. Returns its events and its exit code, or the signal. */
export async function runAction(args: readonly string[], { env = {}, input, killAfter }: ActionOptions = {}) {
  const child = spawn(process.execPath, [MAIN, ...args, '--json'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...daemonEnvironment(), ...env },
  });
  child.stdin.end(input);
  const exited = once(child, 'exit');
  const events: Event[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as Event;
    events.push(event);
    if (event.kind === killAfter) child.kill('SIGKILL');
  }
  const [code, signal] = (await exited) as [number | null, string | null];
  const data = (kind: string) => events.find((event) => event.kind === kind)?.data as Record<string, never> | undefined;
  return { events, data, exit: signal ?? code };
}
