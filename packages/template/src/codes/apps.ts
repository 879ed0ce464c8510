import { type CodeInfo, codesOf } from './code.ts';

const { error, warning, errorOrWarning } = codesOf('meaning');

/** Diagnostic codes for problems of apps. The codes for names and references are in other files. */
export const APP_CODES = {
  'source.missing': error(
    'An app has neither an image nor a build, or a build has no `repo`.',
    'Set `image`, or `repo` and `build`.',
  ),
  'source.conflict': error('An app has both an image and a build, or a build has a `tag`.', 'Keep one of the two.'),
  'image.tagged': error('`image` contains a `:`.', 'Move the part after the colon to `tag`.'),
  'build.missing': error('An app has a `repo` but no `build`.', 'Set `build` to `dockerfile` or `railpack`.'),
  'repo.scheme': error(
    '`repo` is not the address of a public repository.',
    'Write an address that starts with `https://`.',
  ),
  'repo.ref': error('`repo` contains a `#`.', 'Move the part after the `#` to `ref`.'),
  'dockerfile.misplaced': error(
    '`dockerfile` is set for a build that does not use a Dockerfile.',
    'Set `build: dockerfile`, or remove `dockerfile`.',
  ),
  'health.path': error('`health` is not a valid path.', 'Write a path such as `/healthz`.'),
  'domain.literal': error(
    'The host of a domain is not a single reference to an input of type domain.',
    'Declare an input of type domain and write `${input.<key>}`.',
  ),
  'attach.prefix': error(
    'The `prefix` of an attachment is not valid for the names of variables.',
    'Write the prefix as `CACHE_`.',
  ),
  'attach.kind': error('An attachment names both a database and an object store, or neither.', 'Name exactly one.'),
  'attach.unknown': error(
    'An attachment names a key that the template does not declare.',
    'Declare the database or object store, or correct the key.',
  ),
  'attach.bucket': error('An object store is attached without a bucket.', 'Set `bucket`.'),
  'attach.collision': errorOrWarning(
    'Two attachments set the same variable (error), or `env` overrides a variable of an attachment (warning).',
    'Give one of the attachments a `prefix`, or remove the variable.',
  ),
  'volume.path': error('The path of a volume cannot be mounted.', 'Write an absolute path such as `/data`.'),
  'volume.duplicate': error('An app mounts two volumes at the same path.', 'Remove one of the volumes.'),
  'volume.one-copy': error(
    'An app with volumes has, or may have, more than one replica.',
    'Remove `scale`, `spread` and `autoscale`, because replicas that write to one volume destroy its data.',
  ),
  'volume.min-cubeship': error(
    'The template uses `volumes`, but the version range in the key `minCubeship` allows versions before 0.7.0.',
    'Set `minCubeship: ">=0.7.0"`.',
  ),
  'tcp.duplicate': error('An app opens the same port twice.', 'Remove the repeated port.'),
  'tcp.host': error(
    'The port of the host is not a number from 1024 to 65535 or a reference to an input of type number.',
    'Write a number or `${input.<key>}` of a number input, or remove the key.',
  ),
  'tcp.host-range': warning(
    'An input that sets a port of the host allows numbers that are not valid ports.',
    'Give the input a `min` of at least 1024 and a `max` of at most 65535.',
  ),
  'tcp.host-duplicate': error('Two ports of the template use the same port of the host.', 'Change one of the ports.'),
  'tcp.one-copy': error(
    'An app with TCP ports has, or may have, more than one replica.',
    'Remove `scale`, `spread` and `autoscale`, because a port of the host belongs to one replica.',
  ),
  'tcp.min-cubeship': error(
    'The template uses `tcp`, but the version range in the key `minCubeship` allows versions before 0.7.2.',
    'Set `minCubeship: ">=0.7.2"`.',
  ),
  'autoscale.range': error(
    'A number of `autoscale` is out of range. Ranges: `max` 1 to 100, `min` 1 to `max`, `cpu` above 0.',
    'Correct the number that the error message shows.',
  ),
} satisfies Record<string, CodeInfo>;
