import { z } from 'zod';

/**
 * Returns the schema of a JSON merge patch. A missing field is not changed, and `null` restores the default. Objects
 * are merged, but arrays are replaced completely.
 */
export const partial = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(
    Object.fromEntries(Object.entries(shape).map(([k, v]) => [k, mergeable(v as z.ZodType)])) as {
      [K in keyof S]: z.ZodOptional<z.ZodNullable<z.ZodType>>;
    },
  );

function mergeable(field: z.ZodType): z.ZodOptional<z.ZodNullable<z.ZodType>> {
  let inner = field;
  // The default value is removed, because a patch without this field must not change the field.
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodOptional) {
    inner = inner.unwrap() as z.ZodType;
  }
  const value = patchOf(inner).nullable().optional();
  const words = field.description ?? inner.description;
  return words === undefined ? value : value.describe(words);
}

function patchOf(inner: z.ZodType): z.ZodType {
  if (inner instanceof z.ZodObject) return partial(inner.shape);
  // The number of keys is checked later, after the patch has been merged into the stored object.
  if (inner instanceof z.ZodRecord) return z.record(inner.keyType, (inner.valueType as z.ZodType).nullable());
  return inner;
}
