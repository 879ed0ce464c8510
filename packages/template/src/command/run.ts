import { checkedFileJson, type ReportPaint, sarifLog, visible } from '../report/index.ts';
import { VERSION } from '../version.ts';
import { type Arguments, type CheckArguments, type ImportArguments, readArguments, UsageError } from './arguments.ts';
import { type CheckedTarget, checkTarget } from './check.ts';
import { checkReport, isRefused } from './check-output.ts';
import { HELP } from './help.ts';
import { importedJson, importFile, importLines } from './import.ts';
import { type CommandIo, UnreadableError } from './io.ts';

/** Output of a command. Each call of `stdout` or `stderr` writes one or more complete lines. */
export interface CommandOutput {
  stdout(text: string): void;
  stderr(text: string): void;
  paint: ReportPaint;
  /** Width of the terminal in columns. `null` if stdout is not a terminal. */
  width: number | null;
}

const plain: ReportPaint = (text) => text;

/**
 * Runs the command `davit-template` with command-line arguments.
 * @returns the exit code: 0 for success, 1 for an invalid file, 2 for a file that cannot be checked, 130 for a canceled
 * command
 */
export async function runCommand(words: readonly string[], io: CommandIo, out: CommandOutput): Promise<number> {
  try {
    return await execute(readArguments(words), io, out);
  } catch (error) {
    if (io.signal.aborted) return 130;
    const isOurs = error instanceof UsageError || error instanceof UnreadableError;
    const message = error instanceof Error ? error.message : String(error);
    out.stderr(`error: ${visible(isOurs ? message : `The command failed with an internal error: ${message}`)}\n`);
    if (error instanceof UsageError) out.stderr('Run “davit-template --help” for a list of commands and options.\n');
    return 2;
  }
}

async function execute(args: Arguments, io: CommandIo, out: CommandOutput): Promise<number> {
  if (args.command === 'help') out.stdout(HELP);
  else if (args.command === 'version') out.stdout(`${VERSION}\n`);
  else if (args.command === 'import') return runImport(args, io, out);
  else return runCheck(args, io, out);
  return 0;
}

async function runCheck(args: CheckArguments, io: CommandIo, out: CommandOutput): Promise<number> {
  const { targets, format, strict } = args;
  const checked: CheckedTarget[] = [];
  for (const target of targets) checked.push(await checkTarget(target, io));
  const files = checked.flatMap((target) => target.files);
  if (format === 'json') out.stdout(`${safeJson(jsonOf(checked))}\n`);
  else if (format === 'sarif') out.stdout(`${safeJson(sarifLog(files, VERSION))}\n`);
  else {
    const look = { paint: args.noColor ? plain : out.paint, width: out.width };
    out.stdout(`${checkReport(files, look).join('\n')}\n`);
  }
  return isRefused(files, strict) ? 1 : 0;
}

/**
 * Runs `davit-template import`. Writes the template to a file or to stdout, and a report for the user to stderr. With
 * `--json`, writes JSON to stdout instead of the report.
 */
async function runImport(args: ImportArguments, io: CommandIo, out: CommandOutput): Promise<number> {
  const imported = await importFile(args, io);
  const isValid = imported.manifest !== null;
  if (args.json) {
    out.stdout(`${safeJson(importedJson(imported))}\n`);
    return isValid ? 0 : 1;
  }
  if (args.output === null) out.stdout(imported.template);
  const look = { output: args.output, paint: args.noColor ? plain : out.paint, width: out.width };
  out.stderr(`${importLines(imported, look).join('\n')}\n`);
  return isValid ? 0 : 1;
}

/** Returns the checked files as JSON. A single file becomes an object. A folder or several arguments become a list. */
export function jsonOf(checked: readonly CheckedTarget[]): unknown {
  const files = checked.flatMap((target) => target.files.map(checkedFileJson));
  return checked.length === 1 && !checked[0]?.isFolder ? files[0] : files;
}

/** Converts a value to JSON. The JSON contains no terminal control characters. */
export function safeJson(value: unknown): string {
  const escape = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(/[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu, escape);
}
