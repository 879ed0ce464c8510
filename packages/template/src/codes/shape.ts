import { LIMITS } from '../yaml/limits.ts';
import { type CodeInfo, codesOf } from './code.ts';

const { error, info } = codesOf('shape');

/** Codes for keys and types. The meaning is checked only if no error of this layer is reported. */
export const SHAPE_CODES = {
  'schema.unknown-key': error('The key does not exist in this place.', 'Correct its name, or remove it.'),
  'schema.invalid_type': error(
    'A value has the wrong type, or a required key is missing.',
    'Write a value of the type that the message names. Put text that looks like a number in quotes.',
  ),
  'schema.invalid_value': error(
    'A value is not one of the possible values.',
    'Use one of the values that the message names.',
  ),
  'schema.invalid_format': error(
    'A text does not have the required form.',
    'Write the text in the form that the message names.',
  ),
  'schema.invalid_union': error(
    'The `type` of an input is missing or unknown, so the other keys of the input are not checked.',
    'Use one of the types that the message names.',
  ),
  'schema.too_small': error(
    'A text or list is empty, or a number is too small.',
    'Use at least the minimum in the message, or remove the key.',
  ),
  'schema.too_big': error(
    'A number is too large, or a text or list is too long.',
    'Use at most the maximum in the message.',
  ),
  'check.more': info(
    `The file has more problems than the report lists, which is at most ${LIMITS.problems} in each group.`,
    'Correct the listed problems, then check the file again.',
  ),
} satisfies Record<string, CodeInfo>;
