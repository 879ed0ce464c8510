/** Programs of an engine, run inside of a database's container. */
import type { Engine } from '../../../adapters/engine/engine.ts';
import type { Execution, Program } from '../../../adapters/engine/execution.ts';
import { OPEN_SESSIONS } from '../../databases/dialects/postgres-session.ts';

/** A program ended otherwise than well. What it said is for people: it names tables and files, and no password. */
export class ToolFailed extends Error {
  override name = 'ToolFailed';
}

/** Where a program runs. */
export interface ContainerTarget {
  engine: Pick<Engine, 'execute'>;
  container: string;
  signal: AbortSignal;
}

const MOST_COLLECTED = 4 * 1024 * 1024;

/** An app can lock what a dump has to read, and a task that waits for ever keeps all others of the database away. */
const MOST_SILENT_MS = 15 * 60_000;
/** Counting a large table takes time, and so does what a restore does behind the last byte, such as building an index. */
export const MOST_COUNTING_MS = 2 * 3_600_000;
export const MOST_RESTORING_MS = 24 * 3_600_000;

export async function startProgram(
  place: ContainerTarget,
  program: Program,
  stdin?: AsyncIterable<Uint8Array>,
): Promise<Execution> {
  const { engine, container, signal } = place;
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
 * What a program writes, as it writes it.
 * @throws ToolFailed at the end, when it did not end well; when it neither writes nor reads anything for `silentMs`
 */
export async function* programOutput(
  place: ContainerTarget,
  program: Program,
  { stdin, silentMs = MOST_SILENT_MS }: { stdin?: AsyncIterable<Uint8Array>; silentMs?: number } = {},
): AsyncGenerator<Buffer> {
  const silent = new AbortController();
  const end = () => silent.abort(new ToolFailed(`${nameOf(program)} wrote nothing for ${silentMs / 60_000} minutes`));
  const signal = AbortSignal.any([place.signal, silent.signal]);
  // None while what was programOutput is not taken: that is not the program's silence.
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
    const execution = await startProgram({ ...place, signal }, program, stdin === undefined ? undefined : read());
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
 * Runs a program to its end.
 * @returns what it wrote, which is little
 * @throws ToolFailed also when it neither writes nor reads anything for `silentMs`
 */
export async function run(
  place: ContainerTarget,
  program: Program,
  stdin?: AsyncIterable<Uint8Array>,
  silentMs = MOST_SILENT_MS,
): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of programOutput(place, program, { ...(stdin !== undefined && { stdin }), silentMs })) {
    bytes += piece.length;
    if (bytes > MOST_COLLECTED) throw new ToolFailed(`${nameOf(program)} wrote more than anybody reads`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

async function demandSuccess({ exited }: Execution, program: Program): Promise<void> {
  const { exitCode, stderrTail } = await exited;
  if (exitCode !== 0) throw new ToolFailed(failure(nameOf(program), exitCode, stderrTail));
}

/** Its last lines, which say what was the matter. */
function failure(name: string, exitCode: number, stderr: string): string {
  const lines = stderr.trim().split('\n').slice(-4).join(' ').slice(-600).trim();
  return `${name} ended with ${exitCode}${lines === '' ? '' : `: ${lines}`}`;
}

function nameOf({ command: [name = 'the program'] }: Program): string {
  return name;
}

export async function* oneText(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
