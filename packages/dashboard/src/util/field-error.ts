/** What a refusal says of the fields of a form: read from its data, never from its sentence. */
import { DavitError, type FieldProblem } from '@davit/api';

/** What a refusal says of one field, `health.path`; null: it is about something else. */
export function errorFor(error: Error | null, field: string): string | null {
  return fieldsOf(error).find(({ path }) => path === field)?.message ?? null;
}

/**
 * The same of a field with parts, such as the arguments of a command: of whichever of them it is about.
 * @param words what is said of a part, `.2` or `.2.path` with its sentence
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

/** A refusal, or as much of it, that is about none of the fields that a form shows: it stands at the form's end. */
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
