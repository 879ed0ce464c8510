import type { Client, DavitError } from '@davit/api';
import { CliError, EXIT, exitOfStatus } from './exit.ts';
import { nearest } from './nearest.ts';
import type { Printer } from './output/printer.ts';
import { UsageError } from './usage-error.ts';

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
    const exit = exitOfStatus(error.status);
    const message = exit === 'not_signed_in' ? SIGN_IN : `${error.message}${await suggestion(error, around)}`;
    return tell(out, { code: error.code, status: error.status, message }, EXIT[exit].code);
  }
  if (error instanceof CliError) {
    const code = tell(out, { code: error.exit, status: error.status, message: error.message }, EXIT[error.exit].code);
    if (error instanceof UsageError && !out.isJson && error.usage) out.explain(error.usage);
    return code;
  }
  if (around.signal.aborted) return tell(out, INTERRUPTED, EXIT.interrupted.code);
  const message = error instanceof Error ? error.message : String(error);
  const words = `Something went wrong inside this command: ${message || 'it did not say what'}.`;
  return tell(out, { code: 'failed', status: null, message: words }, EXIT.failed.code);
}

const SIGN_IN = 'Your key is not taken here (any more): run «davit login», or check DAVIT_API_KEY if you set it.';
const INTERRUPTED = { code: 'interrupted', status: null, message: 'Interrupted.' };

interface Told {
  code: string;
  status: number | null;
  message: string;
}

function tell(out: Printer, told: Told, exitCode: number): number {
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
  if (error.status !== 404 || client === undefined || typeof given !== 'string') return '';
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
