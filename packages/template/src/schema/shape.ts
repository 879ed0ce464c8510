/**
 * Shape of a value: the declaration of its valid types and keys. The template format is declared once with shapes.
 * shape/check.ts checks files against them, and schema/json.ts converts them to JSON Schema. A test verifies that both
 * accept the same files.
 */
export type Shape = TextShape | IntegerShape | SimpleShape | ListShape | ObjectShape | VariantsShape;

export interface TextShape {
  is: 'text';
  mayBeEmpty?: boolean;
  form?: TextForm;
  /** All valid values. Any other value is an error. */
  oneOf?: readonly string[];
  /** Values that an editor suggests. Other values are checked later, with the meaning of the template. */
  suggests?: readonly string[];
}

export interface TextForm {
  /** Regular expression that is valid in JavaScript with the flag `u` and in JSON Schema. Lookaround is not allowed. */
  pattern: string;
  /** Maximum length of the text in code points. */
  maxLength?: number;
  /** Description of the form, which completes the message "… must be". */
  means: string;
  code: 'schema.invalid_format' | 'schema.invalid_value';
  /** Character that separates words in this form. Used for hints. */
  joint?: '-' | '_';
}

export interface IntegerShape {
  is: 'integer';
  min?: number;
  max?: number;
  /** Whether `null` is a valid value with its own meaning. */
  orNull?: boolean;
}

/** Exclusive bound for integers and their negatives, because the values must fit into 64-bit integers. */
export const INTEGER_BOUND = 2 ** 63;

export interface SimpleShape {
  /**
   * Kind of the value:
   * - `one` is the integer 1.
   * - `amount` is a text or a number, kept as written.
   * - `hostPort` is a port of the server, or a text with a reference to a port.
   * - `variables` is a mapping of names to values of any kind except `null`, kept as written.
   */
  is: 'number' | 'boolean' | 'one' | 'amount' | 'hostPort' | 'variables';
}

export interface ListShape {
  is: 'list';
  of: Shape;
  /** Shape of the first item. Default: the same as for the other items. */
  first?: Shape;
  min?: number;
}

export interface ObjectShape {
  is: 'object';
  fields: Record<string, Field>;
}

/** Mapping with several variants. The value of the key `by` selects the variant. */
export interface VariantsShape {
  is: 'variants';
  by: string;
  variants: Record<string, ObjectShape>;
}

export interface Field {
  shape: Shape;
  required: boolean;
  /** Description of the key in one sentence, for editors and the reference. */
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
