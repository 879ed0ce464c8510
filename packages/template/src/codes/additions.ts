import { type CodeInfo, codesOf } from './code.ts';

const { error, warning } = codesOf('meaning');

/** Codes for the additions to the older format. */
export const ADDITION_CODES = {
  'addition.min-version': error(
    'Something is used that Davit has since 0.1.0, and `minVersion` does not refuse everything before it.',
    'Set `minVersion: "0.1.0"`.',
  ),
  'condition.input': error('`when` names an input that is not declared.', 'Declare it, or correct the key.'),
  'condition.form': error('`when` has both `equals` and `not`.', 'Keep one of them.'),
  'condition.option': error(
    '`when` compares a choice with something that is none of its options.',
    'Use one of the options.',
  ),
  'condition.needed': warning(
    'Something refers to what is there under a condition only, without that condition.',
    'Put the same `when` on it.',
  ),
  'job.app': error('A job names an app that is not declared.', 'Declare it, or correct the key.'),
  'depends.unknown': error('`depends_on` names what is neither an app nor a job.', 'Declare it, or correct the key.'),
  'depends.self': error('An app or a job depends on itself.', 'Remove it from its `depends_on`.'),
  'depends.cycle': error('Apps or jobs wait for each other in a circle.', 'Remove one of the `depends_on`.'),
  'file.path': error(
    'A file cannot be put at its path, or lies below another file.',
    'Write an absolute path such as `/etc/app/config.yaml`.',
  ),
  'file.duplicate': error('An app has two files at one path.', 'Remove one of them.'),
  'file.in-volume': error(
    'A file lies in a volume of its app, which keeps what the app itself wrote there.',
    'Put the file elsewhere, and tell the app where.',
  ),
  'file.size': error('A file has more than 64 KiB.', 'Put what is larger into an image.'),
  'secret.format': error(
    '`format`, `bytes` and `generate` of a secret do not go together.',
    '`hex`, `base64` and `base64url` need `bytes`; `alphanumeric` needs `generate`; `uuid` needs neither.',
  ),
  'secret.bytes': error('`bytes` is not 8 to 1024.', 'Set it to 32, which is enough for any key.'),
  'volume.size': error('The size of a volume cannot be read, or is below 1 MiB.', 'Write it as `500Mi` or `10Gi`.'),
} satisfies Record<string, CodeInfo>;
