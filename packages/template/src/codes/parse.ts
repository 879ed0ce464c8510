import { LIMITS } from '../yaml/limits.ts';
import { type CodeInfo, codesOf } from './code.ts';

const { error, warning } = codesOf('parse');

/** Codes for a file as YAML, before its content is checked. */
export const PARSE_CODES = {
  'yaml.syntax': error(
    'The file is not YAML, or a key stands twice in one mapping.',
    'Correct the line that is named; of a key that is repeated, keep one.',
  ),
  'yaml.alias': error('An anchor (`&x`), an alias (`*x`) or a merge key is used.', 'Write the value out in full.'),
  'yaml.key-anchor': warning('An anchor (`&x`) stands before a key, where nothing may refer to it.', 'Remove it.'),
  'yaml.empty': error('There is nothing in the file but comments, or a single value.', 'Write a template into it.'),
  'yaml.encoding': error('The file is not UTF-8.', 'Save it as UTF-8.'),
  'yaml.too-large': error(
    `The file has more than ${LIMITS.bytes / 1024} KiB or ${LIMITS.lines} lines, or a value in it more than ${LIMITS.text} characters; a catalog may take less.`,
    'Keep what is large in an image or a volume.',
  ),
  'yaml.too-deep': error(
    `Lists and mappings are nested more than ${LIMITS.depth - 1} deep.`,
    'Remove the nesting: no template needs it.',
  ),
  'yaml.too-many-nodes': error(
    `There are more than ${LIMITS.nodes} keys and values, ${LIMITS.tokens} words, marks and line ends, or ${LIMITS.references} references.`,
    'Split the template up.',
  ),
  'yaml.more-documents': warning(
    'Another document follows the first, after `---`: it is not read.',
    'Remove it, or publish it as a template of its own.',
  ),
} satisfies Record<string, CodeInfo>;
