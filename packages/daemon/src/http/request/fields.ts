import { type DavitError, exactBytes, invalidField } from '@davit/api';
import { quote } from '@davit/service';
import type { z } from 'zod';
import { fieldErrorOfEach } from '../../input/field-error.ts';

/**
 * Validates query parameters or a body.
 * @param what word for the validated input in the error message about an unknown field
 * @throws DavitError invalid_input, with all invalid fields in its data
 */
export function validate<S extends z.ZodType>(schema: S, value: unknown, what: 'request' | 'query'): z.output<S> {
  const result = schema.safeParse(value, { error: (issue) => sentence(issue, what) });
  if (result.success) return result.data;
  throw fieldErrorOfEach(result.error, value);
}

export function unknownField(name: string, what: 'request' | 'query'): DavitError {
  return invalidField(quote(name), 'unknown', `is not a field of this ${what}.`);
}

/**
 * Returns the violated rule as text, such as `must be at least 1`. Returns `undefined` if the schema has its own error
 * message.
 */
function sentence(issue: z.core.$ZodRawIssue, what: string): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${named(issue.expected)}`;
    case 'too_small':
      return bound('at least', issue.minimum, issue);
    case 'too_big':
      return bound('at most', issue.maximum, issue);
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be a time such as 2026-01-31T12:00:00Z' : `must be a ${issue.format}`;
    case 'invalid_key':
      return `the name ${issue.issues[0]?.message ?? 'is not valid'}`;
    case 'unrecognized_keys':
      return `is not a field of this ${what}`;
    default:
      return 'is not valid';
  }
}

const NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  null: 'null',
};

function named(expected: string): string {
  return NAMES[expected] ?? `a value of the type ${expected}`;
}

const UNITS: Record<string, string> = { string: 'character', array: 'item', set: 'item', object: 'field' };

function bound(
  word: string,
  limit: number | bigint,
  { origin, path }: { origin: string; path?: PropertyKey[] | undefined },
): string {
  const unit = UNITS[origin];
  // Users can write sizes such as 6Mi in clients, so the message also shows this form.
  if (String(path?.at(-1)).endsWith('_bytes')) return `must be ${word} ${exactBytes(Number(limit))} (${limit} bytes)`;
  return unit === undefined
    ? `must be ${word} ${limit}`
    : `must have ${word} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}
