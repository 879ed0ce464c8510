/** Opens shells through a WebSocket. A shell runs in a replica of an app, or is the client program of a database. */
import type { WebSocket } from 'ws';
import { type AppParams, referenceOf } from '../arguments/app.ts';
import type { DatabaseParams } from '../arguments/database.ts';
import type { Context } from '../declaration/context.ts';
import { CliError } from '../errors/exit.ts';
import type { Runtime } from '../process/runtime.ts';
import { connect } from './connect.ts';
import { type LocalSide, pipeSide, talk } from './talk.ts';

interface ShellOptions {
  /** Command and arguments to run instead of the shell. */
  command: string[] | undefined;
  /** Path of the shell. If `undefined`, the instance selects the shell. */
  shell: string | undefined;
  /** Name of the replica. `undefined` means the first running replica. */
  replica: string | undefined;
}

/**
 * Opens a terminal in a container, and returns the exit code of the remote command.
 * @throws CliError if there is no local terminal, or if the connection fails
 */
export async function openShell(ctx: Context, params: AppParams, options: ShellOptions): Promise<number> {
  if (!isTerminal(ctx.world)) {
    throw new CliError(
      'usage',
      'This command needs a terminal. Without a terminal, use `davit run <app> -- <command>`.',
    );
  }
  return talkInTerminal(ctx, shellPath(params, options, sizeOf(ctx.world)));
}

/**
 * Opens the client program of a database, and returns its exit code. If the input or the output is a pipe or a file,
 * the program runs without a terminal.
 * @throws CliError if the connection fails
 */
export async function openDatabaseShell(
  ctx: Context,
  { project, environment, database }: DatabaseParams,
): Promise<number> {
  const path = `/api/databases/${[project, environment, database].map(encodeURIComponent).join('/')}/shell`;
  if (isTerminal(ctx.world)) return talkInTerminal(ctx, `${path}?${new URLSearchParams(sizeQuery(sizeOf(ctx.world)))}`);
  const socket = await connect(await ctx.connection(), `${path}?terminal=false`, ctx);
  return talk(socket, pipeSide(socket, ctx.world), ctx.world, ctx.signal);
}

async function talkInTerminal(ctx: Context, path: string): Promise<number> {
  const socket = await connect(await ctx.connection(), path, ctx);
  return talk(socket, terminalSide(socket, ctx.world), ctx.world, ctx.signal);
}

function isTerminal({ stdin, stdout }: Runtime): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

interface Size {
  columns: number;
  rows: number;
}

function sizeQuery({ columns, rows }: Size): { columns: string; rows: string } {
  return { columns: String(columns), rows: String(rows) };
}

function shellPath(params: AppParams, { command, shell, replica }: ShellOptions, size: Size): string {
  const query = new URLSearchParams(sizeQuery(size));
  if (command !== undefined) query.set('command', JSON.stringify(command));
  if (shell !== undefined) query.set('shell', shell);
  if (replica !== undefined) query.set('replica', replica);
  const app = referenceOf(params).split('/').map(encodeURIComponent).join('/');
  return `/api/apps/${app}/shell?${query}`;
}

function sizeOf({ stdout }: Runtime): Size {
  const { columns, rows } = stdout as { columns?: number; rows?: number };
  // Some remote shells report 0 as the terminal size. In this case, the CLI uses 80 columns and 24 rows.
  return { columns: within(columns || 80), rows: within(rows || 24) };
}

/** Limits the number of terminal columns or rows to the range 1 to 1,000, because the API accepts only this range. */
function within(side: number): number {
  return Math.max(1, Math.min(side, 1_000));
}

/** Returns an object that sends keys and size changes of the local terminal to the remote program. */
function terminalSide(socket: WebSocket, runtime: Runtime): LocalSide {
  const { stdin, stdout } = runtime;
  const onTyped = (bytes: Buffer) => socket.send(bytes, { binary: true });
  const onResize = () => socket.send(JSON.stringify({ resize: sizeOf(runtime) }));
  return {
    begin() {
      // In raw mode, Ctrl-C is sent to the remote command.
      stdin.setRawMode?.(true);
      stdin.on('data', onTyped);
      stdin.resume();
      stdout.on('resize', onResize);
    },
    end() {
      stdout.off('resize', onResize);
      stdin.off('data', onTyped);
      stdin.setRawMode?.(false);
      stdin.pause();
    },
  };
}
