import { z } from 'zod';

export const LabelKey = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9._/-]{0,61}[a-z0-9])?$/,
    'must contain at most 63 lower-case letters, digits, “.”, “_”, “/” and “-”, with a letter or digit at the start and end',
  );

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/u;

export const LabelValue = z
  .string()
  .max(255, 'must be at most 255 characters')
  /*
   * This check is a function and not a regular expression, because OpenAPI does not allow regular expressions with
   * Unicode classes.
   */
  .refine((value) => !UNPRINTABLE.test(value), 'must not contain control characters or line breaks');

const MOST_LABELS = 64;

/** Labels that users assign to apps for filtering. Davit itself uses only the label of the example app. */
export const Labels = z
  .record(LabelKey, LabelValue)
  .refine((labels) => Object.keys(labels).length <= MOST_LABELS, `must have at most ${MOST_LABELS} labels`)
  .describe('Labels as keys and values.');
export type Labels = z.infer<typeof Labels>;

/**
 * Condition of a label filter. An app must have the label. If the condition has a value, the label must have this
 * value.
 */
export interface LabelCondition {
  key: string;
  value?: string;
}

/**
 * Label filter in a query parameter. The filter consists of conditions such as `team` or `team=shop`, separated by
 * commas. An app must match all conditions. A value cannot contain a comma.
 */
export const LabelSelector = z
  .string()
  .max(2_048)
  .transform((text, ctx): LabelCondition[] =>
    text.split(',').map((part) => {
      const equals = part.indexOf('=');
      const key = equals < 0 ? part : part.slice(0, equals);
      const parsed = LabelKey.safeParse(key);
      if (!parsed.success) ctx.addIssue({ code: 'custom', message: `each key ${parsed.error.issues[0]?.message}` });
      return equals < 0 ? { key } : { key, value: part.slice(equals + 1) };
    }),
  )
  .meta({ type: 'string' });

/** Returns whether the labels of an app match all conditions of a label filter. */
export function hasLabels(labels: Labels, conditions: readonly LabelCondition[]): boolean {
  return conditions.every(
    ({ key, value }) => Object.hasOwn(labels, key) && (value === undefined || labels[key] === value),
  );
}
