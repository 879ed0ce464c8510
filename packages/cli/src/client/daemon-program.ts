/** Starts actions of the daemon program, which is installed on the server of an instance with the command line. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CliError, EXIT, type ExitName } from '../errors/exit.ts';
import type { Environment } from '../process/env.ts';
import { runProgram } from '../process/programs.ts';

/** Daemon program in a release, relative to the bundle of the command line. */
const RELEASED = '../../bin/davitd';
/** Folders of the daemon in a clone, relative to this file in the sources and to the bundle of the command line. */
const CLONED = ['../../../daemon/', '../../daemon/'];
const PACKAGE = '@davit/daemon';

/** Message of an action. `lines` are sentences for the operator. `data` contains the same information as JSON. */
export interface ActionEvent {
  kind: 'plan' | 'removed' | 'result' | 'error';
  lines: string[];
  data: unknown;
}

/** Option of the commands that work without a running daemon. */
export const DATA_DIR = {
  value: 'folder',
  description: 'data directory of the instance (default: DAVIT_DATA_DIR)',
} as const;

/**
 * Returns the flags for the data directory. The daemon program would replace an empty path by its default folder, which
 * can contain another instance.
 * @throws CliError with exit `usage` if the path is empty
 */
export function dataDirFlags(given: string | undefined, { dataDir }: Environment): string[] {
  if (given === '') throw new CliError('usage', 'The option --data-dir is empty. Specify the data directory.');
  return ['--data-dir', given ?? dataDir];
}

export interface ActionRun {
  /** Name of the action and its flags. Other users can see them, so they must not contain secrets. */
  args: readonly string[];
  onEvent: (event: ActionEvent) => void;
  /** Text for stdin, for example a secret. */
  input?: string;
}

/**
 * Runs an action until it ends.
 * @returns the exit code of the action
 * @throws CliError if the daemon is not installed here, or if the action fails
 */
export async function runDaemonAction({ args, onEvent, input }: ActionRun): Promise<number> {
  const found = daemonProgram();
  if (found === null)
    throw new CliError(
      'failed',
      'This `davit` program was not installed with an instance. Run the command on the server of the instance, with the `davit` program that was installed with the instance.',
    );
  let failure: CliError | null = null;
  let rest = '';
  const take = (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const event of lines.flatMap(eventOf)) {
      if (event.kind === 'error') failure = failureOf(event);
      else onEvent(event);
    }
  };
  const options = { onOutput: take, ...(input !== undefined && { input }) };
  const [program, ...first] = found;
  const ended = await runProgram(program, [...first, ...args, '--json'], options);
  if (failure !== null) throw failure;
  if (ended === null || ended.code === null)
    throw new CliError('failed', 'The daemon program ended unexpectedly. Run the command again.');
  return ended.code;
}

/** Returns the daemon program and its first arguments, or `null` if it is not installed with the command line. */
function daemonProgram(): [program: string, ...args: string[]] | null {
  const released = fileURLToPath(new URL(RELEASED, import.meta.url));
  if (existsSync(released)) return [released];
  for (const folder of CLONED) {
    const manifest = new URL(`${folder}package.json`, import.meta.url);
    // Another package next to the command line can have the same folder name.
    if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, 'utf8')).name !== PACKAGE) continue;
    return [process.execPath, fileURLToPath(new URL(`${folder}src/main.mjs`, import.meta.url))];
  }
  return null;
}

/** Reads an event. Other lines are warnings of the runtime, which the operator does not need. */
function eventOf(line: string): ActionEvent[] {
  return line.startsWith('{"kind":') ? [JSON.parse(line) as ActionEvent] : [];
}

function failureOf({ data }: ActionEvent): CliError {
  const { exit, message } = data as { exit: string; message: string };
  return new CliError(Object.hasOwn(EXIT, exit) ? (exit as ExitName) : 'failed', message);
}
