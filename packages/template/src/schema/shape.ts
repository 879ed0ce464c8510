/**
 * Schema of a value, which defines its valid types and keys. Such schemas describe the whole template format.
 * `shape/check.ts` uses them to check files, and `schema/json.ts` converts them to JSON Schema. A test verifies that
 * both accept the same files.
 */
export type Shape = TextShape | IntegerShape | SimpleShape | ListShape | ObjectShape | VariantsShape;

export interface TextShape {
  is: 'text';
  mayBeEmpty?: boolean;
  form?: TextForm;
  /** Valid texts for this value. Any other text is an error. */
  oneOf?: readonly string[];
  /**
   * Texts that code editors suggest for this value. Other texts are also possible, and a later check validates them.
   */
  suggests?: readonly string[];
}

export interface TextForm {
  /**
   * Regular expression that the text must match. It must work in JavaScript with the flag `u` and in JSON Schema, and
   * must not use lookaround.
   */
  pattern: string;
  /** Maximum length of the text in code points. */
  maxLength?: number;
  /** Description of the valid format. Error messages contain it after the words "must be". */
  means: string;
  code: 'schema.invalid_format' | 'schema.invalid_value';
  /**
   * Character that separates words in a format without spaces, for example `-`. If an author writes spaces, the error
   * message suggests the text with this character instead of the spaces.
   */
  joint?: '-' | '_';
}

export interface IntegerShape {
  is: 'integer';
  min?: number;
  max?: number;
  /** Whether `null` is a valid value that has its own meaning. */
  orNull?: boolean;
}

/**
 * An integer in a template must be lower than this number and higher than minus this number, because it must fit into
 * 64 bits.
 */
export const INTEGER_BOUND = 2 ** 63;

export interface SimpleShape {
  /**
   * Type of the value. `one` allows only the number 1. `amount` is a text or a number, and the result is the text from
   * the file. `hostPort` is a port number of the server, or a text such as `${input.port}`. `variables` is a map from
   * names to texts, numbers or booleans. `null` is not allowed in the map, and each value is returned as the text from
   * the file.
   */
  is: 'number' | 'boolean' | 'one' | 'amount' | 'hostPort' | 'variables';
}

export interface ListShape {
  is: 'list';
  of: Shape;
  /** Schema of the first item of the list, if it differs from the schema of the other items. */
  first?: Shape;
  min?: number;
}

export interface ObjectShape {
  is: 'object';
  fields: Record<string, Field>;
}

/**
 * Mapping in which the value of one key decides which other keys are allowed. `by` is the name of this key. `variants`
 * lists the allowed keys for each value. For example, the `type` of an input decides which keys the input can have.
 */
export interface VariantsShape {
  is: 'variants';
  by: string;
  variants: Record<string, ObjectShape>;
}

export interface Field {
  shape: Shape;
  required: boolean;
  /** One sentence that describes a key of the template file. Code editors and the documentation show it. */
  about: string;
  example?: unknown;
}

export const required = (shape: Shape, about: string, example?: unknown): Field => field(shape, about, true, example);
export const optional = (shape: Shape, about: string, example?: unknown): Field => field(shape, about, false, example);

export const text = (more: Omit<TextShape, 'is'> = {}): TextShape => ({ is: 'text', ...more });
export const integer = (min?: number, max?: number): IntegerShape => ({
  is: 'integer',
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});
export const list = (of: Shape, min?: number): ListShape => ({ is: 'list', of, ...(min === undefined ? {} : { min }) });
export const object = (fields: Record<string, Field>): ObjectShape => ({ is: 'object', fields });

function field(shape: Shape, about: string, isRequired: boolean, example: unknown): Field {
  return { shape, about, required: isRequired, ...(example === undefined ? {} : { example }) };
}
