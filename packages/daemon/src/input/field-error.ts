import { DavitError, type FieldCode, type FieldProblem } from '@davit/api';
import { quote } from '@davit/service';
import type { z } from 'zod';

/** Maximum number of invalid fields in one error response. */
const MOST_FIELDS = 32;

/** Maps Zod issue codes to the error codes that the API returns for invalid fields. */
const CODES: Partial<Record<z.core.$ZodIssue['code'], FieldCode>> = {
  invalid_type: 'wrong_type',
  invalid_value: 'invalid_value',
  not_multiple_of: 'invalid_value',
  invalid_format: 'invalid_format',
  invalid_key: 'invalid_format',
  too_small: 'too_small',
  too_big: 'too_large',
  unrecognized_keys: 'unknown',
};

/**
 * Converts a Zod error into an API error with all invalid fields.
 * @param value validated input. A field that is missing in the input gets the code `required`.
 */
export function fieldError(error: z.ZodError, value: unknown): DavitError {
  const fields = error.issues
    .slice(0, MOST_FIELDS)
    .map((issue) => problem(issue.path, codeOf(issue, value), issue.message));
  return refusalOf(fields, error);
}

/**
 * Converts a Zod error into an API error that lists each unknown field separately. In contrast, `fieldError` lists all
 * unknown fields of an object as one field.
 */
export function fieldErrorOfEach(error: z.ZodError, value: unknown): DavitError {
  const fields = error.issues.slice(0, MOST_FIELDS).flatMap((issue) => {
    const code = codeOf(issue, value);
    if (issue.code !== 'unrecognized_keys') return [problem(issue.path, code, issue.message)];
    return issue.keys.slice(0, MOST_FIELDS).map((key) => problem([...issue.path, key], code, issue.message));
  });
  return refusalOf(fields.slice(0, MOST_FIELDS), error, error.issues[0]?.code === 'unrecognized_keys');
}

/**
 * Creates the API error for invalid fields.
 * @param isNamed whether the message begins with the name of the first field, even if the name is empty
 */
function refusalOf(fields: FieldProblem[], cause: z.ZodError, isNamed = false): DavitError {
  const [first] = fields;
  const text = first?.path || isNamed ? `${first?.path}: ${first?.message}` : first?.message;
  return new DavitError('invalid_input', text, { cause, fields });
}

function problem(path: readonly PropertyKey[], code: FieldCode, sentence: string): FieldProblem {
  // The path of an invalid field can contain field names from the request, so the path is quoted.
  return { path: quote(path.map(String).join('.')), code, message: `${sentence}.` };
}

function codeOf({ code, path }: z.core.$ZodIssue, value: unknown): FieldCode {
  const isMissing = (code === 'invalid_type' || code === 'invalid_value') && valueAt(value, path) === undefined;
  return isMissing ? 'required' : (CODES[code] ?? 'invalid');
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  );
}
