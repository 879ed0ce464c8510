/**
 * A shape describes the valid values of a part of the format. The format is declared once with these types.
 * shape/check.ts checks files against the shapes, and schema/json.ts writes them as JSON Schema. A test verifies that
 * both agree.
 */
export type Shape = TextShape | IntegerShape | SimpleShape | ListShape | ObjectShape | VariantsShape;

export interface TextShape {
  is: 'text';
  mayBeEmpty?: boolean;
  form?: TextForm;
  /** Allowed values. Other values are errors. */
  oneOf?: readonly string[];
  /** Values that an editor offers. Other values are checked by the meaning layer. */
  suggests?: readonly string[];
}

export interface TextForm {
  /** Regular expression that is valid in JavaScript with the flag `u` and in ECMA 262, without lookaround. */
  pattern: string;
  /** Maximum length in code points. */
  maxLength?: number;
  /** Text that completes "must be". */
  means: string;
  code: 'schema.invalid_format' | 'schema.invalid_value';
  /** Character that joins words in this form, for hints. */
  joint?: '-' | '_';
}

export interface IntegerShape {
  is: 'integer';
  min?: number;
  max?: number;
  /** Whether `null` is allowed and has a meaning of its own. */
  orNull?: boolean;
}

/** Whole numbers must be between this number and its negative, so that 64-bit integers can hold them. */
export const INTEGER_BOUND = 2 ** 63;

export interface SimpleShape {
  /**
   * Kind of the value:
   * `one` is the plain integer 1.
   * `amount` is a text or a number, kept as written.
   * `hostPort` is a port of the host, or a text that refers to one.
   * `variables` are names with values of any kind except `null`, kept as written.
   */
  is: 'number' | 'boolean' | 'one' | 'amount' | 'hostPort' | 'variables';
}

export interface ListShape {
  is: 'list';
  of: Shape;
  /** Shape of the first item, if it differs. */
  first?: Shape;
  min?: number;
}

export interface ObjectShape {
  is: 'object';
  fields: Record<string, Field>;
}

/** Objects whose variant is selected by the value of the key `by`. */
export interface VariantsShape {
  is: 'variants';
  by: string;
  variants: Record<string, ObjectShape>;
}

export interface Field {
  shape: Shape;
  required: boolean;
  /** Description for editors and the reference, in one sentence. */
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
