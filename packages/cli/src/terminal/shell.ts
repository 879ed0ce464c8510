/**
 * Terminal in a container through a WebSocket. Binary messages are input and output. Text messages are JSON, such as
 * `{"exit": 0}`.
 */
import type { IncomingMessage } from 'node:http';
import type { DavitError } from '@davit/api';
import type { WebSocket } from 'ws';
import { type AppParams, referenceOf } from '../arguments/app.ts';
import { agentFor } from '../client/network-fetch.ts';
import { whyUnreachable } from '../client/requests.ts';
import type { Connection } from '../credentials/choose.ts';
import type { Context } from '../declaration/context.ts';
import { CliError, exitOf } from '../errors/exit.ts';
import type { Runtime } from '../process/runtime.ts';
import { NORMAL, whyClosed } from './closed.ts';

interface ShellOptions {
  /** Command and arguments to run instead of the shell. */
  command: string[] | undefined;
  /** Path of the shell. With `undefined`, the instance selects the shell. */
  shell: string | undefined;
  /** Name of the replica. `undefined` means the first running replica. */
  replica: string | undefined;
}

/**
 * Number of milliseconds without data after which the CLI treats the WebSocket as lost. The instance sends a ping every
 * 30 seconds.
 */
const SILENCE_MS = 75_000;

/**
 * Opens a terminal in a container, and returns the exit code of the remote command.
 * @throws CliError if there is no local terminal, or if the connection fails
 */
export async function openShell(ctx: Context, params: AppParams, options: ShellOptions): Promise<number> {
  const { stdin, stdout } = ctx.world;
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    throw new CliError(
      'usage',
      'This command needs a terminal. Without a terminal, use `davit run <app> -- <command>`.',
    );
  }
  const connection = await ctx.connection();
  const socket = await connect(connection, shellPath(params, options, sizeOf(ctx.world)), ctx);
  return talk(socket, ctx.world, ctx.signal);
}

function shellPath(
  params: AppParams,
  { command, shell, replica }: ShellOptions,
  { columns, rows }: { columns: number; rows: number },
): string {
  const query = new URLSearchParams({ columns: String(columns), rows: String(rows) });
  if (command !== undefined) query.set('command', JSON.stringify(command));
  if (shell !== undefined) query.set('shell', shell);
  if (replica !== undefined) query.set('replica', replica);
  const app = referenceOf(params).split('/').map(encodeURIComponent).join('/');
  return `/api/apps/${app}/shell?${query}`;
}

async function connect(connection: Connection, path: string, { env, signal }: Context): Promise<WebSocket> {
  const [{ WebSocket }, { acceptWithProblem, refusal }] = await Promise.all([
    import('ws'),
    import('../client/typed-client.ts'),
  ]);
  const { url, key, socketPath } = connection;
  const address = socketPath === undefined ? `${url.replace(/^http/, 'ws')}${path}` : `ws+unix:${socketPath}:${path}`;
  const accept = acceptWithProblem();
  const headers = { accept, 'davit-via': 'cli', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  const through = socketPath === undefined ? await agentFor(url, env) : null;
  const agent = through === null ? {} : { agent: through.agent };
  const socket = new WebSocket(address, { ...agent, headers, perMessageDeflate: false, followRedirects: false });
  return new Promise((resolve, reject) => {
    const leave = () => socket.terminate();
    signal.addEventListener('abort', leave, { once: true });
    const settle = (done: () => void) => {
      signal.removeEventListener('abort', leave);
      done();
    };
    socket.once('open', () => {
      // Pauses the socket, because data that arrives with the HTTP response would be lost before a listener is added.
      socket.pause();
      settle(() => resolve(socket));
    });
    socket.once('unexpected-response', (_request, answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      const headers = { get: (name: string) => headerOf(answer, name) };
      const known = { status: answer.statusCode ?? 0, headers, ...(socketPath === undefined && { url }) };
      answer.on('close', () => settle(() => reject(refused(refusal(known, text)))));
    });
    socket.once('error', (error: NodeJS.ErrnoException) =>
      settle(() =>
        reject(
          signal.aborted
            ? signal.reason
            : new CliError('unreachable', whyUnreachable(connection, error, env), { cause: error }),
        ),
      ),
    );
  });
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

function refused(refusal: DavitError): CliError {
  const isUnauthorized = refusal.code === 'unauthorized';
  const message = isUnauthorized ? 'The API key is not valid. Run `davit login`.' : refusal.message;
  return new CliError(exitOf(refusal), message, { refusal });
}

function sizeOf({ stdout }: Runtime): { columns: number; rows: number } {
  const { columns, rows } = stdout as { columns?: number; rows?: number };
  // Some remote shells report a terminal size of 0. In this case, the CLI uses 80 columns and 24 rows.
  return { columns: within(columns || 80), rows: within(rows || 24) };
}

/** Limits the number of terminal columns or rows to 1–1,000, because the API accepts only this range. */
function within(side: number): number {
  return Math.max(1, Math.min(side, 1_000));
}

/**
 * Copies data between the local terminal and the remote terminal. Ends when the remote command ends, the connection is
 * lost, or the user cancels.
 */
async function talk(socket: WebSocket, runtime: Runtime, signal: AbortSignal): Promise<number> {
  const { stdin, stdout } = runtime;
  let exit: number | null = null;
  let receivedAt = performance.now();
  const onReceived = () => {
    receivedAt = performance.now();
  };
  const onTyped = (bytes: Buffer) => socket.send(bytes, { binary: true });
  const onResize = () => socket.send(JSON.stringify({ resize: sizeOf(runtime) }));
  const onAbort = () => socket.close(NORMAL);
  socket.on('ping', onReceived);
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    onReceived();
    if (!isBinary) exit = exitIn(data) ?? exit;
    else if (!stdout.write(data)) pauseUntilDrained(socket, runtime);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  socket.on('error', () => undefined);
  const timer = setInterval(() => performance.now() - receivedAt > SILENCE_MS && socket.terminate(), 5_000);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    // In raw mode, Ctrl-C reaches the remote command.
    stdin.setRawMode?.(true);
    stdin.on('data', onTyped);
    stdin.resume();
    stdout.on('resize', onResize);
    socket.resume();
    const { code, reason } = await closed;
    if (code === NORMAL && exit !== null) return exit;
    throw whyClosed(code, reason, signal);
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', onAbort);
    stdout.off('resize', onResize);
    stdin.off('data', onTyped);
    stdin.setRawMode?.(false);
    stdin.pause();
  }
}

function pauseUntilDrained(socket: WebSocket, { stdout }: Runtime): void {
  socket.pause();
  stdout.once('drain', () => socket.resume());
}

/**
 * Returns the exit code in a text message of the WebSocket. Returns `null` for any other message, because a newer
 * instance may send other messages.
 */
function exitIn(data: Buffer): number | null {
  try {
    const { exit } = JSON.parse(data.toString()) as { exit?: unknown };
    return typeof exit === 'number' ? exit : null;
  } catch {
    return null;
  }
}
