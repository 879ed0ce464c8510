import type { Client, DavitError, FieldProblem } from '@davit/api';
import type { Command } from '../declaration/command.ts';
import { CliError, EXIT, type ExitName, exitOf } from '../errors/exit.ts';
import { nearest } from '../errors/nearest.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Printer } from '../output/printer.ts';
import { messageFor } from './typed-names.ts';

interface ReportContext {
  signal: AbortSignal;
  client?: () => Promise<Client>;
  /** Command that failed. Absent if the command line is invalid. */
  command?: Command;
  /**
   * Arguments of the command. If the app in the argument `app` does not exist, the error message suggests similar
   * names.
   */
  args?: { args: Record<string, unknown> };
}

/**
 * Prints an error to stderr as text, or as JSON with `--json`.
 * @returns the exit code
 */
export async function report(error: unknown, out: Printer, around: ReportContext): Promise<number> {
  if (isDavitError(error)) {
    const exit = exitOf(error);
    const message =
      exit === 'not_signed_in' ? SIGN_IN : `${messageFor(error, around.command)}${await suggestion(error, around)}`;
    return print(out, reportedError(error, message), EXIT[exit].code);
  }
  if (error instanceof CliError) {
    const { exit, refusal, message, help } = error;
    const code = print(
      out,
      refusal === null ? reportedCliError(exit, message, help) : reportedError(refusal, message),
      EXIT[exit].code,
    );
    if (error instanceof UsageError && !out.isJson && error.usage) out.explain(error.usage);
    return code;
  }
  if (around.signal.aborted) return print(out, reportedCliError('interrupted', 'Interrupted.'), EXIT.interrupted.code);
  const message = error instanceof Error ? error.message : String(error);
  const words = `Internal error in this command: ${message || 'unknown cause'}.`;
  return print(out, reportedCliError('failed', words), EXIT.failed.code);
}

const SIGN_IN = 'The API key is not valid. Run `davit login`, or check DAVIT_API_KEY if it is set.';

/** Error in the JSON format that the CLI prints to stderr. All fields are always present. */
export interface ReportedError {
  /** Error code of the API, or the name of the CLI's exit code. */
  code: string;
  /** HTTP status of the response. `null` if the CLI sent no request or received no response. */
  status: number | null;
  message: string;
  fields: readonly FieldProblem[];
  retryable: boolean;
  request_id: string | null;
  /** URL of the help section about the error. `null` if there is no help section. */
  help: string | null;
}

function reportedError(
  { code, status, fields, retryable, requestId, help }: DavitError,
  message: string,
): ReportedError {
  return { code, status, message, fields, retryable, request_id: requestId ?? null, help };
}

function reportedCliError(exit: ExitName, message: string, help: string | null = null): ReportedError {
  const retryable = exit === 'unreachable' || exit === 'busy';
  return { code: exit, status: null, message, fields: [], retryable, request_id: null, help };
}

function print(out: Printer, reported: ReportedError, exitCode: number): number {
  if (out.isJson) out.complainJson(reported);
  // The message about Ctrl-C is printed without the prefix `error:`, because Ctrl-C is not an error.
  else if (exitCode === EXIT.interrupted.code) out.explain(reported.message);
  else out.complain(reported.message);
  if (!out.isJson && reported.help !== null) out.explain(`Help: ${reported.help}`);
  return exitCode;
}

/**
 * Returns whether an error is a `DavitError`. `instanceof` is not used, because it would load the API client. After an
 * invalid command line, the CLI does not need the API client.
 */
function isDavitError(error: unknown): error is DavitError {
  return error instanceof Error && error.name === 'DavitError';
}

/**
 * Returns a hint with similar app names if an app does not exist. Returns an empty text if the list of apps cannot be
 * loaded.
 */
async function suggestion(error: DavitError, { client, args }: ReportContext): Promise<string> {
  const given = args?.args.app;
  if (error.code !== 'not_found' || client === undefined || typeof given !== 'string') return '';
  try {
    const apps = await (await client()).listApps();
    const references = apps.map(({ reference }) => reference);
    // If the app exists, another resource such as a domain is missing. In this case, similar app names would not help.
    const names = references.includes(given) ? [] : nearest(given, references);
    return names.length > 0 ? ` Did you mean ${names.join(', ')}?` : '';
  } catch {
    // If the list of apps cannot be loaded, the error message suggests no similar app name.
    return '';
  }
}
