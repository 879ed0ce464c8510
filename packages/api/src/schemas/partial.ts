import { z } from 'zod';

/** A JSON merge patch of a shape: absent keeps, null clears to the default, objects merge, arrays replace. */
export const partial = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(
    Object.fromEntries(Object.entries(shape).map(([k, v]) => [k, mergeable(v as z.ZodType)])) as {
      [K in keyof S]: z.ZodOptional<z.ZodNullable<z.ZodType>>;
    },
  );

function mergeable(field: z.ZodType): z.ZodOptional<z.ZodNullable<z.ZodType>> {
  let inner = field;
  // Unwrapped, so that a field that is not sent stays absent instead of becoming its default.
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodOptional) {
    inner = inner.unwrap() as z.ZodType;
  }
  const value = patchOf(inner).nullable().optional();
  const words = field.description ?? inner.description;
  return words === undefined ? value : value.describe(words);
}

function patchOf(inner: z.ZodType): z.ZodType {
  if (inner instanceof z.ZodObject) return partial(inner.shape);
  // How many keys there may be is judged on what the patch comes to.
  if (inner instanceof z.ZodRecord) return z.record(inner.keyType, (inner.valueType as z.ZodType).nullable());
  return inner;
}
