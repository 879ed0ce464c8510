import { LIMITS } from '../yaml/limits.ts';
import { type CodeInfo, codesOf } from './code.ts';

const { error, info } = codesOf('shape');

/**
 * Diagnostic codes for invalid keys and types. If one of these codes is reported, the check skips references and
 * values.
 */
export const SHAPE_CODES = {
  'schema.unknown-key': error(
    'The template format has no key with this name at this position.',
    'Correct the name of the key, or remove the key.',
  ),
  'schema.invalid_type': error(
    'A value has the wrong type, or a required key is missing.',
    'Write a value of the type that the error message shows. Put text that looks like a number in quotes.',
  ),
  'schema.invalid_value': error(
    'A value is not one of the possible values.',
    'Use one of the values that the error message lists.',
  ),
  'schema.invalid_format': error(
    'A value does not have the required format.',
    'Write the value in the format that the error message describes.',
  ),
  'schema.invalid_union': error(
    'The `type` of an input is missing or unknown, so the other keys of the input are not checked.',
    'Use one of the types that the error message lists.',
  ),
  'schema.too_small': error(
    'A text or list is empty, or a number is too small.',
    'Use at least the minimum in the error message, or remove the key.',
  ),
  'schema.too_big': error(
    'A number is too large, or a text or list is too long.',
    'Use at most the maximum in the error message.',
  ),
  'check.more': info(
    `The file has more problems than the report shows. A report shows at most ${LIMITS.problems} problems of each group.`,
    'Correct the listed problems, then check the file again.',
  ),
} satisfies Record<string, CodeInfo>;
