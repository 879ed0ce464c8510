import { type CodeInfo, codesOf } from './code.ts';

const { error, warning } = codesOf('parse');

/** What is said of a file as YAML, before anything is known of templates. */
export const PARSE_CODES = {
  'yaml.syntax': error(
    'The file is not YAML, or a key stands twice in one mapping.',
    'Correct the line that is named; of a key that is repeated, keep one.',
  ),
  'yaml.alias': error('An anchor (`&x`), an alias (`*x`) or a merge key is used.', 'Write the value out in full.'),
  'yaml.empty': error('There is nothing in the file but comments, or a single value.', 'Write a template into it.'),
  'yaml.encoding': error('The file is not UTF-8.', 'Save it as UTF-8.'),
  'yaml.too-large': error(
    'The file is larger than a template may be.',
    'Move what is large into an image or a volume.',
  ),
  'yaml.too-deep': error('Values are nested more deeply than any template needs.', 'Remove the nesting.'),
  'yaml.too-many-nodes': error('There are more values in the file than any template needs.', 'Split the template up.'),
  'yaml.more-documents': warning(
    'Another document follows the first, after `---`: it is not read.',
    'Remove it, or publish it as a template of its own.',
  ),
} satisfies Record<string, CodeInfo>;
