/** Programs of an engine, run inside of a database's container. */
import type { Engine } from '../../engine/engine.ts';
import type { Execution, Program } from '../../engine/execution.ts';

/** A program ended otherwise than well. What it said is for people: it names tables and files, and no password. */
export class ToolFailed extends Error {
  override name = 'ToolFailed';
}

/** Where a program runs. */
export interface Place {
  engine: Pick<Engine, 'execute'>;
  container: string;
  signal: AbortSignal;
}

const MOST_COLLECTED = 4 * 1024 * 1024;

export function start(place: Place, program: Program, stdin?: AsyncIterable<Uint8Array>): Promise<Execution> {
  const { engine, container, signal } = place;
  return engine.execute(container, program, { signal, ...(stdin !== undefined && { stdin }) });
}

/** What a program writes, as it writes it. @throws ToolFailed at the end, when it did not end well */
export async function* written(
  place: Place,
  program: Program,
  stdin?: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const execution = await start(place, program, stdin);
  yield* execution.stdout;
  await demandSuccess(execution, program);
}

/** Runs a program to its end. @returns what it wrote, which is little. @throws ToolFailed */
export async function run(place: Place, program: Program, stdin?: AsyncIterable<Uint8Array>): Promise<string> {
  const execution = await start(place, program, stdin);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of execution.stdout) {
    bytes += piece.length;
    if (bytes > MOST_COLLECTED) throw new ToolFailed(`${nameOf(program)} wrote more than anybody reads`);
    pieces.push(piece);
  }
  await demandSuccess(execution, program);
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
