import { DavitError, type FieldCode, type FieldProblem } from '@davit/api';
import { quote } from '@davit/service';
import type { z } from 'zod';

/** More than a form has, and few enough for an answer. */
const MOST_FIELDS = 32;

/** How the schemas of the contract name a problem, as the codes of fields do. */
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
 * Returns a refusal of a value that does not fit its schema: its text is about the first wrong field, its data about all.
 * @param value what was checked: a field that it does not have is required
 */
export function fieldError(error: z.ZodError, value: unknown): DavitError {
  const fields = error.issues
    .slice(0, MOST_FIELDS)
    .map((issue) => problem(issue.path, codeOf(issue, value), issue.message));
  return refusalOf(fields, error);
}

/** The same where unknown fields are refused one by one. */
export function fieldErrorOfEach(error: z.ZodError, value: unknown): DavitError {
  const fields = error.issues.slice(0, MOST_FIELDS).flatMap((issue) => {
    const code = codeOf(issue, value);
    if (issue.code !== 'unrecognized_keys') return [problem(issue.path, code, issue.message)];
    return issue.keys.slice(0, MOST_FIELDS).map((key) => problem([...issue.path, key], code, issue.message));
  });
  return refusalOf(fields.slice(0, MOST_FIELDS), error, error.issues[0]?.code === 'unrecognized_keys');
}

/** @param isNamed the first is about a field even if that has no name, as in the query `?=1` */
function refusalOf(fields: FieldProblem[], cause: z.ZodError, isNamed = false): DavitError {
  const [first] = fields;
  const text = first?.path || isNamed ? `${first?.path}: ${first?.message}` : first?.message;
  return new DavitError('invalid_input', text, { cause, fields });
}

function problem(path: readonly PropertyKey[], code: FieldCode, sentence: string): FieldProblem {
  // A path has names in it that the caller chose.
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
