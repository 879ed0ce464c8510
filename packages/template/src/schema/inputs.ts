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

const TYPE_ABOUT = 'Type of the input.';

function ofType(type: string, more: Record<string, Field>): ObjectShape {
  return object({
    key: required(key, 'Key for references, such as `${input.<key>}`.', 'domain'),
    type: required(text({ oneOf: [type] }), TYPE_ABOUT, type),
    label: required(anyText, 'Label of the input.', 'Host name of the app'),
    help: optional(textOrEmpty, 'Help text that the user sees below the input.'),
    required: optional({ is: 'boolean' }, 'Whether the input must have a value. Default: `true`.', false),
    ...more,
  });
}

export const input: VariantsShape = {
  is: 'variants',
  by: 'type',
  variants: {
    domain: ofType('domain', {}),
    text: ofType('text', {
      default: optional(textOrEmpty, 'Default value.'),
      pattern: optional(anyText, 'Regular expression that the whole value must match.', '[a-z]+'),
    }),
    number: ofType('number', {
      default: optional({ is: 'number' }, 'Default value.', 8080),
      min: optional({ is: 'number' }, 'Minimum value.', 1024),
      max: optional({ is: 'number' }, 'Maximum value.', 65535),
    }),
    choice: ofType('choice', {
      default: optional(textOrEmpty, 'Default value, which must be one of the options.'),
      options: required(list(textOrEmpty, 2), 'Possible values.', ['small', 'large']),
    }),
    secret: ofType('secret', {
      generate: optional(integer(), 'Number of random characters of the secret that Davit generates, at least 8.', 32),
      format: optional(text({ oneOf: SECRET_FORMATS }), 'Format of the secret that Davit generates.', 'hex'),
      bytes: optional(
        integer(1),
        'Number of random bytes of the secret, for the formats `hex`, `base64` and `base64url`.',
        32,
      ),
    }),
    store: ofType('store', {}),
  },
};
