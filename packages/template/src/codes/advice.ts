import { type CodeInfo, codesOf } from './code.ts';

const { warning, info } = codesOf('advice');

/** Codes for advice, which never refuses a file. */
export const ADVICE_CODES = {
  'advice.unpinned-engine': warning(
    'A database without a version runs the newest of the day it is installed.',
    'Set `version` to the one the app is tested with.',
  ),
  'advice.no-health': warning(
    'An app without `health` counts as ready when its port opens.',
    'Set `health` to a path.',
  ),
  'advice.floating-tag': warning('An image without `tag` changes under those who install it.', 'Set `tag`.'),
  'advice.dockerhub': info(
    'An image without a registry comes from Docker Hub, which limits how often it is pulled.',
    'Name the registry, or know that it is meant.',
  ),
  'advice.no-limits': warning(
    'An app without limits can take the whole machine.',
    'Set `limits`; `limits: {}` says that none are wanted.',
  ),
  'advice.unreachable-app': warning(
    'An app has no domain, and no variable of any app refers to it.',
    'Add a domain to the app, or a reference to it in another app.',
  ),
  'advice.empty-alternative': warning(
    'A range has nothing on one side of a `||`, which not every reader of ranges takes.',
    'Remove the `||`.',
  ),
  'advice.install-name': warning(
    'A name is reserved or longer than 40 characters. Instances do not accept it, so each user has to enter another name.',
    'Suggest another name.',
  ),
  'advice.pattern': warning(
    'A pattern is no regular expression, or one that programs understand in different ways.',
    'Use what they have in common: groups, classes, `|`, and `* + ? {n,m}`.',
  ),
  'advice.default': warning(
    'A default breaks the rules of its own input.',
    'Change the default, or `pattern`, `min`, `max` or `options`.',
  ),
  'advice.duplicate-option': warning('A choice has an option twice.', 'Remove one of them.'),
  'advice.min-max': warning('`min` is more than `max`, so no answer is right.', 'Exchange them.'),
  'advice.generate': warning('A generated secret has more than 1024 characters.', 'Set `generate` to 32 or 64.'),
  'advice.expose': warning('`expose` is no port.', 'Write a port up to 65535, or 0 to have one picked.'),
  'advice.bucket-name': warning(
    'No store takes a bucket of that name.',
    'Use 3 to 63 lower-case letters, digits, dashes and dots.',
  ),
  'advice.bucket': warning('The bucket that is attached is not among those of its store.', 'Declare it in `buckets`.'),
  'advice.image-name': warning(
    'No registry has an image of that name.',
    'Write it as in a pull, in lower case and without its tag.',
  ),
  'advice.latest-tag': warning('The tag `latest` changes under those who install it.', 'Set `tag` to a version.'),
  'advice.digest-and-tag': info('An image has a digest and a tag: the digest decides.', 'Nothing, if it is meant.'),
  'advice.dockerhub-user': info(
    'An image of a user comes from Docker Hub, which limits how often it is pulled.',
    'Name another registry, or know that it is meant.',
  ),
  'advice.credentials': warning(
    'The address of a repository carries credentials, which everybody can read.',
    'Revoke them, and publish the repository instead.',
  ),
  'advice.no-ref': warning('A build without `ref` builds what is newest.', 'Set `ref` to a tag.'),
  'advice.ignored': warning('A key says something of what is not there, and is ignored.', 'Remove it.'),
  'advice.reached-by-tcp': info(
    'An app without a domain is reached by its tcp ports alone.',
    'Nothing, if it is meant.',
  ),
  'advice.self-reference': warning(
    'The only reference to an app without a domain is in the app itself.',
    'Add a domain to the app, or a reference to it in another app.',
  ),
  'advice.shared-domain': warning(
    'One input is the host of two domains, which an instance refuses.',
    'Add an input for the second.',
  ),
  'advice.near-reference': warning(
    'Something is written almost as a reference, and is taken as it stands.',
    'Write it as the hint says.',
  ),
  'advice.reference-ignored': warning(
    'A reference stands where none are filled in.',
    'Write the value itself, or say it in a variable of the app.',
  ),
  'advice.unused': warning('An input, a database or a store is used nowhere.', 'Use it, or remove it.'),
} satisfies Record<string, CodeInfo>;
