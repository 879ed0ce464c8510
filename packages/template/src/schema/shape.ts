/**
 * Schema of a value in the template format, used by `shape/check.ts` and `schema/json.ts`. A test verifies that both
 * accept the same files.
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
   * Character between words, for example `-`. If an author writes spaces, the error message suggests this character
   * instead.
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
   * Type of the value. `one` is the number 1. `hostPort` is a port or a reference. An `amount` and the values of
   * `variables` stay text.
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
 * Mapping in which the value of the key `by` decides which other keys are allowed, for example the `type` of an input.
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
