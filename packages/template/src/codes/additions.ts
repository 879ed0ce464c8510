import { type CodeInfo, codesOf } from './code.ts';

const { error, warning } = codesOf('meaning');

/** Diagnostic codes for features that Davit has added to the template format of the older platform Cubeship. */
export const ADDITION_CODES = {
  'addition.min-version': error(
    'The template uses a feature that requires Davit 0.1.0 or later, but `minVersion` allows earlier versions.',
    'Set `minVersion: "0.1.0"`.',
  ),
  'condition.input': error('`when` names an input that is not declared.', 'Declare the input, or correct the key.'),
  'condition.form': error('`when` has both `equals` and `not`.', 'Keep `equals` or `not`.'),
  'condition.option': error(
    '`when` compares a choice with a value that is not one of its options.',
    'Use one of the options.',
  ),
  'condition.needed': warning(
    'A reference uses a part of the template that `when` can leave out.',
    'Add the same `when` to the key that contains the reference.',
  ),
  'command.secret': error(
    'A command contains a secret. All users of the app can see its command.',
    'Pass the secret in a variable of the app.',
  ),
  'worker.requests': error(
    'An app with `worker` has a key for requests: `port`, `health` or `domains`.',
    'Remove this key, or `worker`.',
  ),
  'job.app': error('A job names an app that the template does not declare.', 'Declare the app, or correct the key.'),
  'depends.unknown': error(
    '`depends_on` names a key that is not an app or a job.',
    'Declare the app or job, or correct the key.',
  ),
  'depends.self': error(
    'An app or a job depends on itself.',
    'Remove the key of the app or job from its own `depends_on`.',
  ),
  'depends.cycle': error('The dependencies of apps or jobs form a cycle.', 'Remove one of the `depends_on`.'),
  'depends.own-jobs': error(
    'An app waits for several of its own jobs, but it can have only one command before its start.',
    'Keep one job of the app in `depends_on`.',
  ),
  'file.path': error(
    'The path of a file is not valid, or uses another file as a folder.',
    'Write an absolute path such as `/etc/app/config.yaml`.',
  ),
  'file.duplicate': error('An app has two files at the same path.', 'Remove one of the files.'),
  'file.in-volume': error(
    'The path of a file is inside a volume of the app.',
    'Use a path outside the volume, and configure the app to read the file from that path.',
  ),
  'file.size': error('A file has more than 64 KiB.', 'Put larger files into an image.'),
  'secret.format': error(
    '`format`, `bytes` and `generate` of a secret contradict each other.',
    '`hex`, `base64` and `base64url` need `bytes`; `alphanumeric` needs `generate`; `uuid` needs neither.',
  ),
  'secret.bytes': error('`bytes` is not from 8 to 1024.', 'Set `bytes` to 32, which is enough for any key.'),
  'volume.size': error('The size of a volume is not valid, or is below 1 MiB.', 'Write the size as `500Mi` or `10Gi`.'),
} satisfies Record<string, CodeInfo>;
