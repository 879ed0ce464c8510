/**
 * Sends commands to a running HAProxy over its Unix socket. One connection can transmit several commands, and each
 * command has one response.
 */
import { createConnection } from 'node:net';

/** Error if HAProxy does not respond on its Unix socket. */
export class RuntimeUnreachable extends Error {
  override name = 'RuntimeUnreachable';
}

/**
 * Timeout in milliseconds for HAProxy's responses. HAProxy usually responds within milliseconds, or within 0.2 seconds
 * if there are thousands of apps.
 */
const TIMEOUT_MS = 2_000;

/**
 * Pattern for the prompt that HAProxy writes after each response. The prompt of the HAProxy master contains the word
 * `master`, and after a failed reload also `[ReloadFailed]`.
 */
const PROMPT = /(?:^|\n)(?:master(?:\[ReloadFailed\])?)?> /;
/** Pattern for the prompt that HAProxy writes for each additional line of a multi-line command. */
const PAYLOAD_PROMPT = /^(?:\+ )+/;

/**
 * Sends commands to HAProxy and returns the trimmed responses in the same order. For most commands, an empty response
 * means success. The first line of a command with a payload ends with ` <<`. The payload follows on the next lines and
 * ends with a line feed.
 * @throws RuntimeUnreachable if no process listens on the socket, or a response is missing after the timeout
 */
export async function sendCommands(socketPath: string, commands: string[], timeoutMs = TIMEOUT_MS): Promise<string[]> {
  if (commands.length === 0) return [];
  // The command `prompt` makes HAProxy write a prompt after each response. Only the prompts show where a response ends.
  const answers = parseAnswers(await exchange(socketPath, `prompt\n${commands.join('\n')}\nquit\n`, timeoutMs));
  if (answers.length === commands.length) return answers;
  throw new RuntimeUnreachable(`the proxy sent ${answers.length} responses to ${commands.length} commands`);
}

/**
 * Makes an HAProxy master start a new worker. The master closes the connection without a response, so the caller must
 * read the result with `show proc`.
 */
export async function requestReload(masterPath: string): Promise<void> {
  await exchange(masterPath, 'reload\n', TIMEOUT_MS);
}

/**
 * Splits the output of an HAProxy connection into the responses. The first command on the connection must be `prompt`,
 * and the last command must be `quit`.
 */
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
    reject(new RuntimeUnreachable(`the connection to the socket ${socketPath} failed: ${reason}`, { cause }));
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

/** Process ids of an HAProxy container, inside the container's PID namespace. */
export interface Processes {
  /** Process id of the current HAProxy worker, or `null` while the master is starting a worker. */
  worker: number | null;
  oldWorkers: number[];
  failedReloads: number;
}

/** Parses the output of `show proc` of an HAProxy master. */
export function parseProcesses(answer: string): Processes {
  const [current = '', old = ''] = answer.split('# old workers');
  const pids = (text: string) => [...text.matchAll(/^(\d+)\s+worker/gm)].map((match) => Number(match[1]));
  return {
    worker: pids(current)[0] ?? null,
    oldWorkers: pids(old),
    failedReloads: Number(/\[failed: (\d+)\]/.exec(answer)?.[1] ?? 0),
  };
}

/** Values from the output of HAProxy's command `show info`. */
export interface WorkerInfo {
  version: string;
  pid: number;
  description: string;
  /**
   * `true` if the HAProxy worker is shutting down. The worker then accepts no new connections, and exits when its open
   * connections have ended.
   */
  stopping: boolean;
}

/** Parses the output of HAProxy's command `show info`. */
export function parseInfo(answer: string): WorkerInfo {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(answer)?.[1] ?? '';
  return {
    version: field('Version'),
    pid: Number(field('Pid')),
    description: field('description'),
    stopping: field('Stopping') === '1',
  };
}

/**
 * Parses the output of HAProxy's command `show servers conn`. Returns the number of open connections of a server, or 0
 * if the server is not listed.
 */
export function parseOpenConnections(answer: string, backend: string, server: string): number {
  const lines = answer.split('\n').map((line) => line.split(' '));
  const column = lines[0]?.indexOf('used_cur') ?? -1;
  const found = lines.find(([name]) => name === `${backend}/${server}`);
  /*
   * Only the header line has an additional first column `#`. Each value is therefore one column to the left of its
   * header.
   */
  return Number(found?.[column - 1] ?? 0);
}
