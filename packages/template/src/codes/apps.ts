import { type CodeInfo, codesOf } from './code.ts';

const { error, warning, errorOrWarning } = codesOf('meaning');

/** Codes for apps, besides names and references. */
export const APP_CODES = {
  'source.missing': error(
    'An app has neither an image nor a build, or a build has no `repo`.',
    'Set `image`, or `repo` and `build`.',
  ),
  'source.conflict': error('An image together with a build, or a `tag` on a build.', 'Keep one of the two.'),
  'image.tagged': error('There is a `:` in `image`.', 'Move what follows it to `tag`.'),
  'build.missing': error('A `repo` without `build`.', 'Set `build` to `dockerfile` or `railpack`.'),
  'repo.scheme': error('`repo` is not an address of a repository that anybody can read.', 'Start it with `https://`.'),
  'repo.ref': error('There is a `#` in `repo`.', 'Move what follows it to `ref`.'),
  'dockerfile.misplaced': error(
    '`dockerfile` on a build that does not use one.',
    'Set `build: dockerfile`, or remove it.',
  ),
  'health.path': error('`health` is not a path that can be asked for.', 'Write a path such as `/healthz`.'),
  'domain.literal': error(
    'The host of a domain is not exactly one reference to an input of type domain.',
    'Declare such an input and write `${input.<key>}`.',
  ),
  'attach.prefix': error('A prefix that does not end variable names well.', 'Write it as `CACHE_`.'),
  'attach.kind': error('An attachment names both a database and a store, or neither.', 'Name exactly one.'),
  'attach.unknown': error('An attachment names something that is not declared.', 'Declare it, or correct the key.'),
  'attach.bucket': error('A store is attached without a bucket.', 'Set `bucket`.'),
  'attach.collision': errorOrWarning(
    'Two attachments set one variable (error), or `env` overrides what an attachment sets (warning).',
    'Give one of the attachments a `prefix`, or remove the variable.',
  ),
  'volume.path': error('The path of a volume cannot be mounted.', 'Write an absolute path such as `/data`.'),
  'volume.duplicate': error('An app mounts two volumes at one path.', 'Remove one of them.'),
  'volume.one-copy': error(
    'An app with volumes runs, or may run, in more than one copy.',
    'Remove `scale`, `spread` and `autoscale`: copies on one volume destroy each other’s data.',
  ),
  'volume.min-cubeship': error(
    '`volumes` without a `minCubeship` that refuses everything before 0.7.0.',
    'Set `minCubeship: ">=0.7.0"`.',
  ),
  'tcp.duplicate': error('An app opens one port twice.', 'Remove one of them.'),
  'tcp.host': error(
    'The host’s port is neither a number from 1024 to 65535 nor a reference to an input of type number.',
    'Write a number, or `${input.<key>}` of a number input, or leave it out.',
  ),
  'tcp.host-range': warning(
    'The number input for the host’s port allows what is no such port.',
    'Give the input a `min` of at least 1024 and a `max` of at most 65535.',
  ),
  'tcp.host-duplicate': error('Two ports of the file take the same port of the host.', 'Change one of them.'),
  'tcp.one-copy': error(
    'An app with tcp ports runs, or may run, in more than one copy.',
    'Remove `scale`, `spread` and `autoscale`: a port of the host goes to one copy.',
  ),
  'tcp.min-cubeship': error(
    '`tcp` without a `minCubeship` that refuses everything before 0.7.2.',
    'Set `minCubeship: ">=0.7.2"`.',
  ),
  'autoscale.range': error(
    '`max` is not in 1 to 100, `min` not in 1 to `max`, or `cpu` not above 0.',
    'Correct the number that is named.',
  ),
} satisfies Record<string, CodeInfo>;
