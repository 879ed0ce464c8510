import { type CodeInfo, codesOf } from './code.ts';

const { error, warning } = codesOf('meaning');

/** Codes for names, inputs, databases, stores and references. */
export const MEANING_CODES = {
  'key.duplicate': error(
    'Two inputs, databases or stores, or two apps or jobs, have the same key.',
    'Give each its own key.',
  ),
  'name.reserved': error(
    'A name, or the key that stands in for it, is not a slug or is reserved: `settings`, of databases `engines`, of stores `providers`.',
    'Set another `name`.',
  ),
  'name.duplicate': error('Two of a kind end up with one name.', 'Set a `name` of its own on one of them.'),
  'version.range': error('`minCubeship` or `minVersion` is not a version range.', 'Write a range such as `>=0.7.0`.'),
  'input.generate': error('A generated secret is shorter than 8 characters.', 'Set `generate` to 8 or more.'),
  'engine.unknown': error('The engine is none of those on offer.', 'Use one of the engines that are named.'),
  'engine.version': error('The engine is not offered in that version.', 'Use one of the versions that are named.'),
  'engine.username': error(
    'The engine does not let its user have that name.',
    'Remove `username`, or use one the engine allows.',
  ),
  'database.ignored': warning('`database` on redis, which has no named databases.', 'Remove `database`.'),
  'extension.engine': error('`extensions` on an engine other than postgres.', 'Remove `extensions`.'),
  'extension.unknown': error('An extension that is not on offer.', 'Use those that are named.'),
  'extension.version': error(
    'An extension that is not offered on the version that will run.',
    'Use one of the versions that are named.',
  ),
  'extension.min-cubeship': error(
    '`extensions` without a `minCubeship` that refuses everything before 0.9.0.',
    'Set `minCubeship: ">=0.9.0"`.',
  ),
  'limits.cpu': error('Less than 0.01 of a processor.', 'Set `cpu` to 0.01 or more.'),
  'limits.memory': error('The amount of memory cannot be read, or is below 6 MiB.', 'Write it as `512Mi` or `1Gi`.'),
  'reference.unknown': error(
    'A `${…}` names something that is not declared.',
    'Declare it, or correct the key in the reference.',
  ),
  'reference.attribute': error(
    'A `${…}` asks for something that its kind does not have, or not for anything where it must.',
    'Use one of the attributes that are named.',
  ),
} satisfies Record<string, CodeInfo>;
