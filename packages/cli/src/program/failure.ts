import type { Client, DavitError, FieldProblem } from '@davit/api';
import { CliError, EXIT, type ExitName, exitOf } from '../errors/exit.ts';
import { nearest } from '../errors/nearest.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Printer } from '../output/printer.ts';

interface Surroundings {
  signal: AbortSignal;
  client?: () => Promise<Client>;
  /** What the command was given: a name that is not there may be a slip. */
  args?: { args: Record<string, unknown> };
}

/**
 * Tells a person, or a program that asked for JSON, what went wrong.
 * @returns the exit code
 */
export async function report(error: unknown, out: Printer, around: Surroundings): Promise<number> {
  if (isDavitError(error)) {
    const exit = exitOf(error);
    const message = exit === 'not_signed_in' ? SIGN_IN : `${error.message}${await suggestion(error, around)}`;
    return tell(out, told(error, message), EXIT[exit].code);
  }
  if (error instanceof CliError) {
    const { exit, refusal, message } = error;
    const code = tell(out, refusal === null ? ownTold(exit, message) : told(refusal, message), EXIT[exit].code);
    if (error instanceof UsageError && !out.isJson && error.usage) out.explain(error.usage);
    return code;
  }
  if (around.signal.aborted) return tell(out, ownTold('interrupted', 'Interrupted.'), EXIT.interrupted.code);
  const message = error instanceof Error ? error.message : String(error);
  const words = `Something went wrong inside this command: ${message || 'it did not say what'}.`;
  return tell(out, ownTold('failed', words), EXIT.failed.code);
}

const SIGN_IN = 'Your key is not taken here (any more): run «davit login», or check DAVIT_API_KEY if you set it.';

/** What an error says to a program, the same fields each time. */
export interface ToldError {
  /** Of the instance, or the name of an exit code. */
  code: string;
  /** Null: the instance did not answer, or was not asked. */
  status: number | null;
  message: string;
  fields: readonly FieldProblem[];
  retryable: boolean;
  request_id: string | null;
}

function told({ code, status, fields, retryable, requestId }: DavitError, message: string): ToldError {
  return { code, status, message, fields, retryable, request_id: requestId ?? null };
}

function ownTold(exit: ExitName, message: string): ToldError {
  const retryable = exit === 'unreachable' || exit === 'busy';
  return { code: exit, status: null, message, fields: [], retryable, request_id: null };
}

function tell(out: Printer, told: ToldError, exitCode: number): number {
  if (out.isJson) out.complainJson(told);
  // Who leaves made no mistake.
  else if (exitCode === EXIT.interrupted.code) out.explain(told.message);
  else out.complain(told.message);
  return exitCode;
}

/** By its name: the class is in the client, which a mistake in the command line does not need. */
function isDavitError(error: unknown): error is DavitError {
  return error instanceof Error && error.name === 'DavitError';
}

/** Names near the one of an app that is not there; nothing when they cannot be asked for. */
async function suggestion(error: DavitError, { client, args }: Surroundings): Promise<string> {
  const given = args?.args.app;
  if (error.code !== 'not_found' || client === undefined || typeof given !== 'string') return '';
  try {
    const apps = await (await client()).listApps();
    const references = apps.map(({ reference }) => reference);
    // The app is there: it is something of it that is not.
    const names = references.includes(given) ? [] : nearest(given, references);
    return names.length > 0 ? ` Did you mean ${names.join(', ')}?` : '';
  } catch {
    // It is the first error that the person has to hear of; without names it is as true.
    return '';
  }
}
