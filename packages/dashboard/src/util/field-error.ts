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
 * Returns the server's error message about a form field, or about one item of the field, such as one argument of a
 * command. For an item, the function `words` combines the path of the item, such as `.2.path`, with the message of the
 * server.
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
 * Returns the errors of a request that do not belong to a field of the form, combined into one error. Returns `null` if
 * there are none. The form shows the returned error below its fields.
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
