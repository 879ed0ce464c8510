/** Returns the errors of form fields from the data of a refusal. The text of its message is never parsed. */
import { DavitError, type FieldProblem } from '@davit/api';

/** Returns the error of one field, such as `health.path`, or `null` if the refusal is about something else. */
export function errorFor(error: Error | null, field: string): string | null {
  return fieldsOf(error).find(({ path }) => path === field)?.message ?? null;
}

/**
 * Returns the error of a field with parts, such as the arguments of a command, if any part has an error.
 * @param words formats the error of a part such as `.2` or `.2.path` with its message
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

/** Returns the part of a refusal that is not about a field of the form. The form shows this part at its end. */
export function errorBeside(error: Error | null, fields: readonly string[]): Error | null {
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
