import { z } from 'zod';
import { isReservedVariable, VARIABLE_NAME, VARIABLE_NAME_LENGTH, VARIABLE_NAME_PROBLEMS } from '../variable-name.ts';

export const VariableName = z
  .string()
  .max(VARIABLE_NAME_LENGTH, VARIABLE_NAME_PROBLEMS.long)
  .regex(VARIABLE_NAME, VARIABLE_NAME_PROBLEMS.form)
  .refine((key) => !isReservedVariable(key), VARIABLE_NAME_PROBLEMS.reserved);

const VariableValue = z
  .string()
  .max(131_072, 'must be at most 128 KiB')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must refuse NUL
  .regex(/^[^\u0000]*$/, 'must not contain NUL');

export const VariablesPatch = z
  .strictObject({
    set: z.record(VariableName, VariableValue).default({}).describe('Variables to set: names and new values.'),
    unset: z
      .array(VariableName)
      .max(1_000)
      .default([])
      .describe('Names of the variables to remove. Unknown names are ignored.'),
    secret: z
      .array(VariableName)
      .max(1_000)
      .default([])
      .describe(
        'Names of the variables to mark as secret: variables in `set`, or existing variables. Users with the role viewer cannot see their values.',
      ),
  })
  .meta({ id: 'VariablesPatch' });
export type VariablesPatch = z.infer<typeof VariablesPatch>;

export const VariablesPut = z
  .strictObject({
    vars: z
      .record(VariableName, VariableValue.nullable())
      .describe(
        'All variables of the project, environment or app, as a map of name to value. A value of `null` keeps the stored value. Davit removes variables that are not in this map.',
      ),
    secret: z
      .array(VariableName)
      .max(1_000)
      .default([])
      .describe('Names of the variables to mark as secret. Users with the role viewer cannot see their values.'),
  })
  .meta({ id: 'VariablesPut' });
export type VariablesPut = z.infer<typeof VariablesPut>;

/**
 * Sources of an app's environment variables. A later source in this list overrides an earlier source. `attachment`: an
 * attached database or bucket.
 */
export const VARIABLE_SOURCES = ['project', 'environment', 'attachment', 'app'] as const;
export type VariableSource = (typeof VARIABLE_SOURCES)[number];
const VariableSource = z
  .enum(VARIABLE_SOURCES)
  .describe('Source of the variable. `attachment`: a database or a bucket that is attached to the app.');

export const EffectiveVariable = z.object({
  key: z.string(),
  value: z.string().nullable(),
  source: VariableSource,
  secret: z.boolean(),
});

export const Variables = z
  .object({
    vars: z
      .record(z.string(), z.string().nullable())
      .describe(
        'Variables of the project, environment or app in the request path. A value is `null` if you may not see it.',
      ),
    secret: z
      .array(z.string())
      .describe('Names of the secret variables. Users with the role viewer cannot see their values.'),
    effective: z
      .array(EffectiveVariable)
      .describe(
        'All variables that an app gets. If several sources have a variable with the same name, the source that comes last in this list wins: project, environment, attachments, app.',
      ),
  })
  .meta({ id: 'Variables' });
export type Variables = z.infer<typeof Variables>;
