import { type CodeInfo, codesOf } from './code.ts';

const { warning, info } = codesOf('advice');

/** Diagnostic codes for advice. Advice never makes a template invalid. */
export const ADVICE_CODES = {
  'advice.unpinned-engine': warning(
    'A database without a version uses the newest version at the time of the installation.',
    'Set `version` to the version that the app was tested with.',
  ),
  'advice.no-health': warning(
    'An app without `health` is ready as soon as its port is open.',
    'Set `health` to a path.',
  ),
  'advice.floating-tag': warning('An image without `tag` can change between two installations.', 'Set `tag`.'),
  'advice.dockerhub': info(
    'An image without a registry comes from Docker Hub, which limits the number of pulls.',
    'Name the registry, or ignore this advice if Docker Hub is intended.',
  ),
  'advice.no-limits': warning(
    'An app without limits can use all CPU and memory of the server.',
    'Set `limits`, or `limits: {}` for no limits.',
  ),
  'advice.unreachable-app': warning(
    'An app has no domain, and no variable of any app refers to it.',
    'Add a domain to the app, or refer to the app in a variable of another app.',
  ),
  'advice.empty-alternative': warning(
    'One side of a `||` in a version range is empty, which some programs cannot read.',
    'Remove the `||`.',
  ),
  'advice.install-name': warning(
    'A name is reserved or longer than 40 characters. Instances do not accept it, so each user has to enter another name.',
    'Suggest another name.',
  ),
  'advice.pattern': warning(
    'A pattern is not a regular expression, or programs interpret it in different ways.',
    'Use only the common syntax: groups, classes, `|`, and `* + ? {n,m}`.',
  ),
  'advice.default': warning(
    'A default is not a valid value of its input.',
    'Change the default, or `pattern`, `min`, `max` or `options`.',
  ),
  'advice.duplicate-option': warning('A choice lists an option twice.', 'Remove the repeated option.'),
  'advice.min-max': warning('`min` is greater than `max`, so no value is valid.', 'Correct `min` or `max`.'),
  'advice.generate': warning('A generated secret has more than 1024 characters.', 'Set `generate` to 32 or 64.'),
  'advice.bucket-name': warning(
    'No object store accepts this bucket name.',
    'Use 3 to 63 lower-case letters, digits, dashes and dots.',
  ),
  'advice.bucket': warning(
    'The attached bucket is not in `buckets` of its object store.',
    'Add the bucket to `buckets`.',
  ),
  'advice.latest-tag': warning(
    'The tag `latest` can refer to a different image at any time.',
    'Set `tag` to a version.',
  ),
  'advice.digest-and-tag': info(
    'An image has both a digest and a tag. The digest selects the image.',
    'Remove the tag, or ignore this notice if the tag is only informative.',
  ),
  'advice.dockerhub-user': info(
    'The image `owner/name` comes from Docker Hub, which limits the number of pulls.',
    'Name another registry, or ignore this advice if Docker Hub is intended.',
  ),
  'advice.credentials': warning(
    'The address of a repository contains credentials, which all users can read.',
    'Revoke the credentials, and make the repository public.',
  ),
  'advice.no-ref': warning('A build without `ref` uses the newest commit.', 'Set `ref` to a tag.'),
  'advice.ignored': warning(
    'A key is ignored, because the part that the key belongs to is missing.',
    'Remove the key.',
  ),
  'advice.reached-by-tcp': info(
    'An app without a domain can be reached only through its TCP ports.',
    'Add a domain, or ignore this notice if the app needs only TCP ports.',
  ),
  'advice.self-reference': warning(
    'An app has no domain, and only its own variables refer to it.',
    'Add a domain to the app, or refer to the app in a variable of another app.',
  ),
  'advice.shared-domain': warning(
    'Two domains use the same input as their host, which an instance does not accept.',
    'Add an input for the second domain.',
  ),
  'advice.near-reference': warning(
    'A text looks like a reference but is not valid, so it is used as plain text.',
    'Write the reference as the hint of the problem shows.',
  ),
  'advice.reference-ignored': warning(
    'A reference is in a key that does not support references, so it is used as plain text.',
    'Write the value without a reference, or use a variable of the app.',
  ),
  'advice.unused': warning(
    'An input, a database or an object store is not used.',
    'Use the input, database or object store, or remove the declaration.',
  ),
} satisfies Record<string, CodeInfo>;
