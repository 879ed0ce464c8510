/**
 * Schema of a value in the template format. `shape/check.ts` and `schema/json.ts` use this schema. A test checks that
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
   * Texts that code editors suggest for this value. Other texts can also be valid. A later check validates the text.
   */
  suggests?: readonly string[];
}

export interface TextForm {
  /**
   * Regular expression that the text must match. It must work in JavaScript with the flag `u` and in JSON Schema.
   * Lookaround is not allowed.
   */
  pattern: string;
  /** Maximum length of the text in code points. */
  maxLength?: number;
  /** Description of the valid format. In error messages, it follows the words "must be". */
  means: string;
  code: 'schema.invalid_format' | 'schema.invalid_value';
  /** Character between words, such as `-`. If an author writes spaces, the error message suggests this character. */
  joint?: '-' | '_';
}

export interface IntegerShape {
  is: 'integer';
  min?: number;
  max?: number;
  /** Whether `null` is also valid and has its own meaning. */
  orNull?: boolean;
}

/** Exclusive limit for the absolute value of an integer in a template, because the integer must fit into 64 bits. */
export const INTEGER_BOUND = 2 ** 63;

export interface SimpleShape {
  /**
   * Type of the value. `one` is the number 1. `hostPort` is a port or a reference. An `amount` and the values of
   * `variables` are not converted from text.
   */
  is: 'number' | 'boolean' | 'one' | 'amount' | 'hostPort' | 'variables';
}

export interface ListShape {
  is: 'list';
  of: Shape;
  /** Schema of the first list item. Absent if all items have the same schema. */
  first?: Shape;
  min?: number;
}

export interface ObjectShape {
  is: 'object';
  fields: Record<string, Field>;
}

/**
 * Mapping in which the value of the key `by` determines the other allowed keys. An example is the `type` of an input.
 */
export interface VariantsShape {
  is: 'variants';
  by: string;
  variants: Record<string, ObjectShape>;
}

export interface Field {
  shape: Shape;
  required: boolean;
  /** One sentence that describes a key of the template file, for code editors and the documentation. */
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
