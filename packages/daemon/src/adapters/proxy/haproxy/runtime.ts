/**
 * Sends commands to a running proxy over its Unix socket. One connection carries several commands, and each command has
 * one response.
 */
import { createConnection } from 'node:net';

/** Error if the socket does not respond. */
export class RuntimeUnreachable extends Error {
  override name = 'RuntimeUnreachable';
}

/**
 * Maximum time in milliseconds for the responses. A worker responds within milliseconds, or within 0.2 s with thousands
 * of apps.
 */
const TIMEOUT_MS = 2_000;

/** Prompt that ends a response. The prompt of the master contains its name. */
const PROMPT = /(?:^|\n)(?:master)?> /;
/** Prompt that HAProxy writes for each line of a payload. */
const PAYLOAD_PROMPT = /^(?:\+ )+/;

/**
 * Sends commands and returns their trimmed responses in order. Most successful commands have an empty response. A
 * payload follows the first line of its command, which ends with ` <<`, and ends with a line feed.
 * @throws RuntimeUnreachable if no process listens, or if not all commands get a response in time
 */
export async function sendCommands(socketPath: string, commands: string[], timeoutMs = TIMEOUT_MS): Promise<string[]> {
  if (commands.length === 0) return [];
  // Only the prompt separates one response from the next.
  const answers = parseAnswers(await exchange(socketPath, `prompt\n${commands.join('\n')}\nquit\n`, timeoutMs));
  if (answers.length === commands.length) return answers;
  throw new RuntimeUnreachable(`speak with the proxy: ${answers.length} answers to ${commands.length} commands`);
}

/**
 * Requests a reload from a master. The master closes the connection without a response. The result is in `show proc`.
 */
export async function askForReload(masterPath: string): Promise<void> {
  await exchange(masterPath, 'reload\n', TIMEOUT_MS);
}

/** Splits the output of a session that began with `prompt` and ended with `quit` into responses. */
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
  socket.setTimeout(timeoutMs, () => fail(`no response within ${timeoutMs} ms`));
  socket.on('error', (error) => fail(error.message, error));
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('end', () => resolve(text));
  socket.write(input);
  return promise;
}

/** Processes of one generation, by their pid inside the container. */
export interface Processes {
  /** Pid of the current worker, or `null` while the master starts a worker. */
  worker: number | null;
  /** Pids of replaced workers that finish their open requests. */
  oldWorkers: number[];
  failedReloads: number;
}

/** Parses the output of the master's `show proc`. */
export function parseProcesses(answer: string): Processes {
  const [current = '', old = ''] = answer.split('# old workers');
  const pids = (text: string) => [...text.matchAll(/^(\d+)\s+worker/gm)].map((match) => Number(match[1]));
  return {
    worker: pids(current)[0] ?? null,
    oldWorkers: pids(old),
    failedReloads: Number(/\[failed: (\d+)\]/.exec(answer)?.[1] ?? 0),
  };
}

/** Information that a worker reports about itself. */
export interface WorkerInfo {
  version: string;
  pid: number;
  description: string;
  /** Whether the worker accepts no new connections and ends after its open connections. */
  stopping: boolean;
}

/** Parses the output of `show info`. */
export function parseInfo(answer: string): WorkerInfo {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(answer)?.[1] ?? '';
  return {
    version: field('Version'),
    pid: Number(field('Pid')),
    description: field('description'),
    stopping: field('Stopping') === '1',
  };
}

/** Returns the number of a server's open connections from `show servers conn`, or 0 if the server is not listed. */
export function parseOpenConnections(answer: string, backend: string, server: string): number {
  const lines = answer.split('\n').map((line) => line.split(' '));
  const column = lines[0]?.indexOf('used_cur') ?? -1;
  const found = lines.find(([name]) => name === `${backend}/${server}`);
  // The header line begins with an additional `#` column.
  return Number(found?.[column - 1] ?? 0);
}
