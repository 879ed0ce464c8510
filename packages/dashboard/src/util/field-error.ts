/**
 * Finds the form field for each error of a request that the server rejected. The error contains field paths. The error
 * message is never parsed.
 */
import { DavitError, type FieldProblem } from '@davit/api';

/**
 * Returns the server's error message about a form field such as `health.path`. Returns `null` if there is no error
 * message.
 */
export function errorFor(error: Error | null, field: string): string | null {
  return fieldsOf(error).find(({ path }) => path === field)?.message ?? null;
}

/**
 * Returns the server's error message about a form field or one of its list items. `words` adds the path of the list
 * item, such as `.2.path`, to the error message.
 */
export function errorWithin(
  error: Error | null,
  field: string,
  words = (part: string, message: string) => `${part}: ${message}`,
): string | null {
  const problem = fieldsOf(error).find(({ path }) => path === field || path.startsWith(`${field}.`));
  if (problem === undefined) return null;
  const part = problem.path.slice(field.length);
  return part === '' ? problem.message : words(part, problem.message);
}

/**
 * Combines the errors that belong to no form field into one error, which the form shows below its fields. Returns
 * `null` if there are no such errors.
 */
export function formErrorOf(error: Error | null, fields: readonly string[]): Error | null {
  const all = fieldsOf(error);
  const rest = all.filter(({ path }) => !fields.includes(path));
  if (rest.length === all.length) return error;
  return rest.length === 0 ? null : new Error(rest.map(sentenceOf).join(' '));
}

function fieldsOf(error: Error | null): readonly FieldProblem[] {
  return error instanceof DavitError ? error.fields : [];
}

/**
 * Returns the message of an error for users of the dashboard. If the error is about fields that no form field shows, the
 * message names them in words instead of the names of the API.
 */
export function shownMessage(error: Error): string {
  const fields = error instanceof DavitError && error.code === 'invalid_input' ? error.fields : [];
  return fields.length === 0 ? error.message : fields.map(sentenceOf).join(' ');
}

/** Returns the message about a field with the name of the field in words. */
export function sentenceOf({ path, message }: FieldProblem): string {
  return path === '' ? message : `${nameOf(path)}: ${message}`;
}

/** Matches the start of a path whose rest is the name of an environment variable. */
const VARIABLE = /^(set|vars)\./;
const UNIT = /_(bytes|s|ms)$/;

/** Returns the name of a field in words. An environment variable keeps its name. List items are counted from 1. */
function nameOf(path: string): string {
  if (VARIABLE.test(path)) return path.replace(VARIABLE, '');
  if (path === 'slug') return 'name';
  const parts = path.replace(UNIT, '').split('.');
  return parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part.replaceAll('_', ' '))).join(' ');
}

/**
 * Returns whether an error is about form fields and may be outdated after a change of a field. Returns `false` for a
 * failed check, because the form still offers to save without the check.
 */
export function isAboutFields(error: Error | null): boolean {
  return error instanceof DavitError && error.fields.length > 0 && error.code !== 'check_failed';
}
