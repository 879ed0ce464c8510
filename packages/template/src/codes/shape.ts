import { LIMITS } from '../yaml/limits.ts';
import { type CodeInfo, codesOf } from './code.ts';

const { error, info } = codesOf('shape');

/** Codes for keys and types. The meaning is checked only if no error of this layer is reported. */
export const SHAPE_CODES = {
  'schema.unknown-key': error('A key that is not known at its place.', 'Correct its name, or remove it.'),
  'schema.invalid_type': error(
    'A value has the wrong type, or a key that is required is missing.',
    'Write a value of the type that is named; quote what looks like a number and is meant as text.',
  ),
  'schema.invalid_value': error('A value is none of those that are possible.', 'Use one of those that are named.'),
  'schema.invalid_format': error(
    'A text does not have the form that its key needs.',
    'Write it in the form that is named.',
  ),
  'schema.invalid_union': error(
    'The `type` of an input is missing or not known; the rest of that input is not looked at.',
    'Use one of the types that are named.',
  ),
  'schema.too_small': error(
    'A text or list is empty, or a number too small.',
    'Write at least as much as the message says, or remove the key.',
  ),
  'schema.too_big': error('A number is too large, or a text or list too long.', 'Write at most what the message says.'),
  'check.more': info(
    `There are more problems than are listed: of each layer there are ${LIMITS.problems} at most.`,
    'Correct those that are listed, and check again.',
  ),
} satisfies Record<string, CodeInfo>;
