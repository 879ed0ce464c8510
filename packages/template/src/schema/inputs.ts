import { SECRET_FORMATS } from '../draft.ts';
import { anyText, key, textOrEmpty } from './forms.ts';
import {
  type Field,
  integer,
  list,
  type ObjectShape,
  object,
  optional,
  required,
  text,
  type VariantsShape,
} from './shape.ts';

const TYPE_ABOUT = 'What is asked for.';

function ofType(type: string, more: Record<string, Field>): ObjectShape {
  return object({
    key: required(key, 'What the file refers to it by, as `${input.<key>}`.', 'domain'),
    type: required(text({ oneOf: [type] }), TYPE_ABOUT, type),
    label: required(anyText, 'What the person who installs it is asked.', 'Where the app answers'),
    help: optional(textOrEmpty, 'More about the question.'),
    required: optional({ is: 'boolean' }, 'Whether there must be an answer; `true` unless said.', false),
    ...more,
  });
}

export const input: VariantsShape = {
  is: 'variants',
  by: 'type',
  variants: {
    domain: ofType('domain', {}),
    text: ofType('text', {
      default: optional(textOrEmpty, 'The answer when none is given.'),
      pattern: optional(anyText, 'A regular expression that the whole answer has to match.', '[a-z]+'),
    }),
    number: ofType('number', {
      default: optional({ is: 'number' }, 'The answer when none is given.', 8080),
      min: optional({ is: 'number' }, 'The least there may be.', 1024),
      max: optional({ is: 'number' }, 'The most there may be.', 65535),
    }),
    choice: ofType('choice', {
      default: optional(textOrEmpty, 'The answer when none is given: one of the options.'),
      options: required(list(textOrEmpty, 2), 'What can be chosen from.', ['small', 'large']),
    }),
    secret: ofType('secret', {
      generate: optional(integer(), 'It is made of so many random characters unless one is given: at least 8.', 32),
      format: optional(text({ oneOf: SECRET_FORMATS }), 'How a secret that is made is written.', 'hex'),
      bytes: optional(integer(1), 'How many random bytes `hex`, `base64` and `base64url` carry.', 32),
    }),
    store: ofType('store', {}),
  },
};
