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
  /** List of all valid values of the text. Any other value is an error. */
  oneOf?: readonly string[];
  /** Values that an editor suggests for the text. Other values are checked later, after the keys and types. */
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
   * Character that separates words in a text with this format. For example, hints for authors suggest it instead of
   * spaces.
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

/** Integers must be lower than this number and higher than its negative, because they must fit into 64-bit integers. */
export const INTEGER_BOUND = 2 ** 63;

export interface SimpleShape {
  /**
   * Kind of the value:
   * - `one` is the integer 1.
   * - `amount` is a text or a number. It stays as written in the file.
   * - `hostPort` is a port on the server, or a text with a reference to a port.
   * - `variables` is a mapping of names to values of any type except `null`. The values stay as written.
   */
  is: 'number' | 'boolean' | 'one' | 'amount' | 'hostPort' | 'variables';
}

export interface ListShape {
  is: 'list';
  of: Shape;
  /** Schema of the first item in a list. By default, the first item has the same schema as the other items. */
  first?: Shape;
  min?: number;
}

export interface ObjectShape {
  is: 'object';
  fields: Record<string, Field>;
}

/**
 * Mapping whose valid keys depend on the value of one of its keys. `by` is the name of this key, and `variants`
 * contains the valid keys for each of its values.
 */
export interface VariantsShape {
  is: 'variants';
  by: string;
  variants: Record<string, ObjectShape>;
}

export interface Field {
  shape: Shape;
  required: boolean;
  /** Description of the key in one sentence. Editors and the documentation show it. */
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
