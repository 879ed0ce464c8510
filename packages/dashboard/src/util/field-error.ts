/**
 * Finds the form field for each error of a request that the server rejected. Uses the field paths in the error and
 * never the error message.
 */
import { DavitError, type FieldProblem } from '@davit/api';

/** Returns the server's error message about a form field such as `health.path`, or `null` if there is none. */
export function errorFor(error: Error | null, field: string): string | null {
  return fieldsOf(error).find(({ path }) => path === field)?.message ?? null;
}

/**
 * Returns the server's error message about a form field or one of its items. `words` adds the item's path, such as
 * `.2.path`, to the message.
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
 * `null` if there are none.
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

function sentenceOf({ path, message }: FieldProblem): string {
  return path === '' ? message : `${path}: ${message}`;
}

/**
 * Returns whether an error is about form fields and may be outdated after an edit. Returns `false` for a failed check,
 * because the form still offers to save without the check.
 */
export function isAboutFields(error: Error | null): boolean {
  return error instanceof DavitError && error.fields.length > 0 && error.code !== 'check_failed';
}
