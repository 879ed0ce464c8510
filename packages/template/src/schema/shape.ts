/**
 * What a value may look like. The format is declared with these once: shape/check.ts holds a file against them,
 * schema/json.ts writes them as JSON Schema, and a test proves that both say the same.
 */
export type Shape = TextShape | IntegerShape | SimpleShape | ListShape | ObjectShape | VariantsShape;

export interface TextShape {
  is: 'text';
  mayBeEmpty?: boolean;
  form?: TextForm;
  /** Nothing else is possible. */
  oneOf?: readonly string[];
  /** What an editor offers; other texts are for the layer of meaning to judge. */
  suggests?: readonly string[];
}

export interface TextForm {
  /** Of JavaScript with the flag `u` and of ECMA 262 alike, without looking around. */
  pattern: string;
  /** Code points. */
  maxLength?: number;
  /** Completes «must be». */
  means: string;
  code: 'schema.invalid_format' | 'schema.invalid_value';
  /** What words are joined with in it, for a hint. */
  joint?: '-' | '_';
}

export interface IntegerShape {
  is: 'integer';
  min?: number;
  max?: number;
  /** Null says something of its own. */
  orNull?: boolean;
}

/** Whole numbers are less than that, and more than its negative: what counts in 64 bits can hold them. */
export const INTEGER_BOUND = 2 ** 63;

export interface SimpleShape {
  /**
   * `one`: the plain integer 1. `amount`: text or a number, kept as written. `hostPort`: a port of the host, or text
   * that refers to one. `variables`: names with values of any kind but null, kept as written.
   */
  is: 'number' | 'boolean' | 'one' | 'amount' | 'hostPort' | 'variables';
}

export interface ListShape {
  is: 'list';
  of: Shape;
  /** Of the first item, where that is another. */
  first?: Shape;
  min?: number;
}

export interface ObjectShape {
  is: 'object';
  fields: Record<string, Field>;
}

/** Objects that are told apart by the text of one of their keys. */
export interface VariantsShape {
  is: 'variants';
  by: string;
  variants: Record<string, ObjectShape>;
}

export interface Field {
  shape: Shape;
  required: boolean;
  /** For editors and the reference: one sentence. */
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
