/** Speaks with a running proxy over its unix socket: several commands in one connection, one answer for each. */
import { createConnection } from 'node:net';

/** Nothing answered at the socket. */
export class RuntimeUnreachable extends Error {
  override name = 'RuntimeUnreachable';
}

/** A worker answers within milliseconds, one with thousands of apps within 0.2 s. */
const TIMEOUT_MS = 2_000;

/** What ends an answer. The master's says its name. */
const PROMPT = /(?:^|\n)(?:master)?> /;
/** Comes for each line of a payload that was read. */
const PAYLOAD_PROMPT = /^(?:\+ )+/;

/**
 * Sends commands and reads their answers, trimmed, in the same order. An empty answer is how most commands succeed. A
 * command with a payload has it behind its first line, which ends with ` <<`, and a line feed at the end.
 * @throws RuntimeUnreachable when nobody listens, or not every command was answered in time
 */
export async function sendCommands(socketPath: string, commands: string[], timeoutMs = TIMEOUT_MS): Promise<string[]> {
  if (commands.length === 0) return [];
  // The prompt is what tells one answer from the next.
  const answers = parseAnswers(await exchange(socketPath, `prompt\n${commands.join('\n')}\nquit\n`, timeoutMs));
  if (answers.length === commands.length) return answers;
  throw new RuntimeUnreachable(`speak with the proxy: ${answers.length} answers to ${commands.length} commands`);
}

/** Asks a master to reload. It closes the connection instead of an answer: what came of it is in `show proc`. */
export async function askForReload(masterPath: string): Promise<void> {
  await exchange(masterPath, 'reload\n', TIMEOUT_MS);
}

/** The answers in a conversation that began with `prompt` and ended with `quit`. */
export function parseAnswers(text: string): string[] {
  return text
    .split(PROMPT)
    .slice(1, -1)
    .map((answer) => answer.replace(PAYLOAD_PROMPT, '').trim());
}

function exchange(socketPath: string, input: string, timeoutMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  const socket = createConnection(socketPath);
  socket.setEncoding('utf8');
  const fail = (reason: string, cause?: unknown) => {
    socket.destroy();
    reject(new RuntimeUnreachable(`speak with the proxy at ${socketPath}: ${reason}`, { cause }));
  };
  socket.setTimeout(timeoutMs, () => fail(`no answer within ${timeoutMs} ms`));
  socket.on('error', (error) => fail(error.message, error));
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('end', () => resolve(text));
  socket.write(input);
  return promise;
}

/** The processes of one generation, by the pid they have inside its container. */
export interface Processes {
  /** Null while the master starts one. */
  worker: number | null;
  /** Replaced ones that finish what they serve. */
  oldWorkers: number[];
  failedReloads: number;
}

/** Reads the master's `show proc`. */
export function parseProcesses(answer: string): Processes {
  const [current = '', old = ''] = answer.split('# old workers');
  const pids = (text: string) => [...text.matchAll(/^(\d+)\s+worker/gm)].map((match) => Number(match[1]));
  return {
    worker: pids(current)[0] ?? null,
    oldWorkers: pids(old),
    failedReloads: Number(/\[failed: (\d+)\]/.exec(answer)?.[1] ?? 0),
  };
}

/** What a worker says of itself. */
export interface WorkerInfo {
  version: string;
  pid: number;
  description: string;
  /** It takes no new connections and ends with those it has. */
  stopping: boolean;
}

/** Reads `show info`. */
export function parseInfo(answer: string): WorkerInfo {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(answer)?.[1] ?? '';
  return {
    version: field('Version'),
    pid: Number(field('Pid')),
    description: field('description'),
    stopping: field('Stopping') === '1',
  };
}

/** The connections that a server is serving on, from `show servers conn`; 0 for one that is not in it. */
export function parseOpenConnections(answer: string, backend: string, server: string): number {
  const lines = answer.split('\n').map((line) => line.split(' '));
  const column = lines[0]?.indexOf('used_cur') ?? -1;
  const found = lines.find(([name]) => name === `${backend}/${server}`);
  // The header begins with a `#` of its own.
  return Number(found?.[column - 1] ?? 0);
}
