import { type Field, integer, object, optional, required, type TextForm, text } from './shape.ts';

const format = (pattern: string, means: string, joint?: '-' | '_'): TextForm => ({
  pattern,
  means,
  code: 'schema.invalid_format',
  ...(joint && { joint }),
});

const SLUG = format(
  '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
  'lower-case letters, digits and hyphens, with no hyphen at either end',
  '-',
);
const KEY = format('^[a-zA-Z][a-zA-Z0-9_-]*$', 'a letter followed by letters, digits, `_` and `-`', '-');
const TAG = format(
  '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$',
  'at most 128 letters, digits, `_`, `.` and `-`, not starting with `.` or `-`',
);
const MODE = format('^0[0-7]{3}$', 'a zero and three octal digits, such as `0644`');

/** Part of a regular expression that matches Unicode white space. Use it inside square brackets. */
const BLANK = '\\t\\n\\u000b\\u000c\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

export const TITLE: TextForm = {
  pattern: `^[^${BLANK}]([^\\t\\n\\r]*[^${BLANK}])?$`,
  maxLength: 100,
  means: 'at most 100 characters on one line, without spaces at either end',
  code: 'schema.invalid_value',
};

/** Format of an environment variable's name. These names are the keys of the mapping `env`. */
export const VARIABLE = format(
  '^[A-Za-z_][A-Za-z0-9_.]*$',
  'a letter or `_` followed by letters, digits, `_` and `.`',
  '_',
);

export const slug = text({ form: SLUG });
export const key = text({ form: KEY });
export const imageTag = text({ form: TAG });
export const fileMode = text({ form: MODE });
export const anyText = text();
export const textOrEmpty = text({ mayBeEmpty: true });
export const port = integer(1, 65535);

export const when: Field = optional(
  object({
    input: required(key, 'Key of the input that the condition checks.', 'withCache'),
    equals: optional(textOrEmpty, 'Value of the input that makes the condition true.'),
    not: optional(textOrEmpty, 'Value of the input that makes the condition false. Any other value makes it true.'),
  }),
  'Condition for this part of the template. Davit uses the part only if the condition is true. Without `equals` and `not`, the condition is true if the input is not empty.',
  { input: 'domain' },
);

export const limits: Field = optional(
  object({
    cpu: optional({ is: 'number' }, 'Number of CPUs, at least 0.01.', 0.5),
    memory: optional(
      { is: 'amount' },
      'Memory such as `512Mi` or `1Gi`, or a number of bytes. At least 6 MiB.',
      '512Mi',
    ),
  }),
  'Limits of CPU and memory. `{}`: no limits.',
  { cpu: 1, memory: '1Gi' },
);
