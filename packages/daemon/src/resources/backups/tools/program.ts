/** Runs dump tools and database clients inside a database container. */
import { count } from '@davit/api';
import type { Engine } from '../../../adapters/engine/engine.ts';
import type { Execution, Program } from '../../../adapters/engine/execution.ts';
import { OPEN_SESSIONS } from '../../databases/dialects/postgres-session.ts';

/**
 * Error of a program in a database container. Users see the error message. The message can contain names of tables and
 * files, but no password.
 */
export class ToolFailed extends Error {
  override name = 'ToolFailed';
}

/** Container in which a dump tool or a database client runs. */
export interface ContainerTarget {
  engine: Pick<Engine, 'execute'>;
  container: string;
  signal: AbortSignal;
}

const MOST_COLLECTED = 4 * 1024 * 1024;

/**
 * Maximum time in milliseconds in which a program reads and writes nothing. Without this limit, a locked table could
 * block all later tasks.
 */
const MOST_SILENT_MS = 15 * 60_000;
/**
 * Maximum time in milliseconds in which a program reads and writes nothing while it counts the rows of a large table.
 */
export const MOST_COUNTING_MS = 2 * 3_600_000;
/**
 * Maximum time in milliseconds in which a restore tool reads and writes nothing. After it has read the dump, the tool
 * can create indexes for hours.
 */
export const MOST_RESTORING_MS = 24 * 3_600_000;

export async function startProgram(
  target: ContainerTarget,
  program: Program,
  stdin?: AsyncIterable<Uint8Array>,
): Promise<Execution> {
  const { engine, container, signal } = target;
  const { PGAPPNAME: session } = program.env ?? {};
  if (session !== undefined) OPEN_SESSIONS.add(session);
  const ended = () => void (session !== undefined && OPEN_SESSIONS.delete(session));
  try {
    const execution = await engine.execute(container, program, { signal, ...(stdin !== undefined && { stdin }) });
    execution.exited.then(ended, ended);
    return execution;
  } catch (error) {
    ended();
    throw error;
  }
}

/**
 * Returns the output of a program as a stream.
 * @throws ToolFailed at the end of the stream if the program fails, or if it is silent for `silentMs` milliseconds
 */
export async function* programOutput(
  target: ContainerTarget,
  program: Program,
  { stdin, silentMs = MOST_SILENT_MS }: { stdin?: AsyncIterable<Uint8Array>; silentMs?: number } = {},
): AsyncGenerator<Buffer> {
  const silent = new AbortController();
  const end = () =>
    silent.abort(new ToolFailed(`${nameOf(program)} wrote nothing for ${count(silentMs / 60_000, 'minute')}`));
  const signal = AbortSignal.any([target.signal, silent.signal]);
  /*
   * Timer for the time in which the program reads and writes nothing. The timer is paused while the caller handles
   * output, because the program may have to wait for the caller.
   */
  let timer: NodeJS.Timeout | null = null;
  const stop = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const begin = () => {
    timer = setTimeout(end, silentMs).unref();
  };
  async function* read(): AsyncGenerator<Uint8Array> {
    for await (const piece of stdin ?? []) {
      timer?.refresh();
      yield piece;
    }
  }
  begin();
  try {
    const execution = await startProgram({ ...target, signal }, program, stdin === undefined ? undefined : read());
    for await (const piece of execution.stdout) {
      stop();
      yield piece;
      begin();
    }
    await demandSuccess(execution, program);
  } finally {
    stop();
  }
}

/**
 * Runs a program until the program ends.
 * @returns the output of the program
 * @throws ToolFailed if the program fails, writes more than 4 MiB, or reads and writes nothing for `silentMs`
 * milliseconds
 */
export async function run(
  target: ContainerTarget,
  program: Program,
  stdin?: AsyncIterable<Uint8Array>,
  silentMs = MOST_SILENT_MS,
): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of programOutput(target, program, { ...(stdin !== undefined && { stdin }), silentMs })) {
    bytes += piece.length;
    if (bytes > MOST_COLLECTED)
      throw new ToolFailed(`${nameOf(program)} wrote more than ${MOST_COLLECTED} bytes of output`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function demandSuccess({ exited }: Execution, program: Program): Promise<void> {
  const { exitCode, stderrTail } = await exited;
  if (exitCode !== 0) throw new ToolFailed(failure(nameOf(program), exitCode, stderrTail));
}

/**
 * Returns an error message with the last lines of stderr, because these lines usually contain the cause of the error.
 */
function failure(name: string, exitCode: number, stderr: string): string {
  const lines = stderr.trim().split('\n').slice(-4).join(' ').slice(-600).trim();
  return `${name} exited with code ${exitCode}${lines === '' ? '' : `: ${lines}`}`;
}

function nameOf({ command: [name = 'the program'] }: Program): string {
  return name;
}

/** Returns the standard input of a program that consists of one piece. */
export async function* onePiece(content: Uint8Array | string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}
