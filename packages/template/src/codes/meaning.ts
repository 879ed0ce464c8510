import { type CodeInfo, codesOf } from './code.ts';

const { error, warning } = codesOf('meaning');

/** Diagnostic codes for problems of names, inputs, databases, object stores and references. */
export const MEANING_CODES = {
  'key.duplicate': error(
    'Two inputs, databases, object stores, apps or jobs have the same key.',
    'Use a different key for each input, database, object store, app and job.',
  ),
  'name.reserved': error(
    'A name is not valid or is reserved. Without `name`, the key is the name.',
    'Set another `name`. Reserved names are `settings`, `engines` (databases) and `providers` (object stores).',
  ),
  'name.duplicate': error('Two parts of the same kind have the same name.', 'Set another `name` for one of the parts.'),
  'version.range': error(
    'The value of the key `minVersion` or `minCubeship` is not a version range.',
    'Write a range such as `>=0.7.0`.',
  ),
  'input.generate': error('A generated secret is shorter than 8 characters.', 'Set `generate` to 8 or more.'),
  'engine.unknown': error(
    'The database engine is not supported.',
    'Use one of the engines that the error message lists.',
  ),
  'engine.version': error(
    'The version of the database engine is not supported.',
    'Use one of the versions that the error message lists.',
  ),
  'engine.username': error(
    'The database engine does not allow this user name.',
    'Remove `username`, or use an allowed name.',
  ),
  'database.ignored': warning('`database` is set for redis, which has no named databases.', 'Remove `database`.'),
  'extension.engine': error('`extensions` is set for an engine other than postgres.', 'Remove `extensions`.'),
  'extension.unknown': error(
    'The PostgreSQL extension is not supported.',
    'Use one of the extensions that the error message lists.',
  ),
  'extension.version': error(
    'The version of PostgreSQL does not have the extension.',
    'Use one of the versions that the error message lists.',
  ),
  'extension.min-cubeship': error(
    'The template uses `extensions`, but the version range in the key `minCubeship` allows versions before 0.9.0.',
    'Set `minCubeship: ">=0.9.0"`.',
  ),
  'limits.cpu': error('The CPU limit is less than 0.01.', 'Set `cpu` to 0.01 or more.'),
  'limits.memory': error(
    'The memory limit is not valid, or is below 6 MiB.',
    'Write the memory limit as `512Mi` or `1Gi`.',
  ),
  'instance.value': error(
    'A value is valid in the template format, but no Davit instance accepts it. If there are other errors, correct them first, because this check needs a template without errors.',
    'Correct the value as the error message describes.',
  ),
  'reference.unknown': error(
    'A reference `${…}` names a key that the template does not declare.',
    'Declare the key, or correct the key in the reference.',
  ),
  'reference.attribute': error(
    'A reference `${…}` has an attribute that does not exist, or lacks a required attribute.',
    'Use one of the attributes that the error message lists.',
  ),
} satisfies Record<string, CodeInfo>;
