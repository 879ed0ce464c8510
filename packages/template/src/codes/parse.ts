import { LIMITS } from '../yaml/limits.ts';
import { type CodeInfo, codesOf } from './code.ts';

const { error, warning } = codesOf('parse');

/** Diagnostic codes for problems of the YAML syntax. */
export const PARSE_CODES = {
  'yaml.syntax': error(
    'The file is not valid YAML, or a mapping has the same key twice.',
    'Correct the line that the error message shows. Remove repeated keys.',
  ),
  'yaml.alias': error(
    'The file uses an anchor (`&x`), an alias (`*x`) or a merge key.',
    'Write the value out in full.',
  ),
  'yaml.key-anchor': warning('An anchor (`&x`) is before a key and has no effect.', 'Remove the anchor.'),
  'yaml.empty': error('The file contains only comments or a single value.', 'Add the keys of a template to the file.'),
  'yaml.encoding': error('The file is not UTF-8.', 'Save the file as UTF-8.'),
  'yaml.too-large': error(
    `The file has more than ${LIMITS.bytes / 1024} KiB or ${LIMITS.lines} lines, or a value has more than ${LIMITS.text} characters. A catalog may have lower limits.`,
    'Put large content into an image or a volume.',
  ),
  'yaml.too-deep': error(
    `Lists and mappings are nested more than ${LIMITS.depth - 1} deep.`,
    'Reduce the nesting, which no template needs.',
  ),
  'yaml.too-many-nodes': error(
    `The file has more than ${LIMITS.nodes} keys and values, ${LIMITS.tokens} tokens, or ${LIMITS.references} references.`,
    'Split the template into several templates.',
  ),
  'yaml.more-documents': warning(
    'The file contains a second YAML document after `---`, which is ignored.',
    'Remove the document, or publish it as a separate template.',
  ),
} satisfies Record<string, CodeInfo>;
