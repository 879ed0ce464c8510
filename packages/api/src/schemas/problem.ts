import { z } from 'zod';
import { ERRORS, type ErrorCode, FIELD_CODES, type FieldCode } from '../errors.ts';
import { QuotaRefusal } from './quota.ts';

// The type of `z.enum` requires at least one element. `FIELD_CODES` is never empty, so the type cast is safe.
export const FieldCodeSchema = z.enum(Object.keys(FIELD_CODES) as [FieldCode, ...FieldCode[]]);

const FieldProblem = z.object({
  path: z
    .string()
    .describe(
      'Path of the invalid field in the request, for example `health.path` or `hosts.0`, or the name of a header. Empty if the problem concerns the whole body.',
    ),
  code: FieldCodeSchema.describe('Code of the problem with the field, for example `required`.'),
  message: z.string().describe('Description of the problem in one sentence, without the name of the field.'),
});

/**
 * Error response in the format `application/problem+json` (RFC 9457). A client that does not accept this format
 * receives only the text of `detail`.
 */
export const Problem = z.object({
  type: z
    .string()
    .describe(
      'Path of the help page about the error, such as `/help/solve-common-problems#disk-full`. `about:blank` if there is no help page.',
    ),
  title: z.string().describe('Default message of the error code. `detail` can be more specific.'),
  status: z.int(),
  detail: z.string().describe('Description of the error in one sentence: what happened and what to do.'),
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).describe('Error code.'),
  fields: z.array(FieldProblem).describe('Invalid fields of the request. `detail` describes the first one.'),
  retryable: z.boolean().describe('Whether the same request may succeed if you repeat it later.'),
  quota: QuotaRefusal.optional().describe(
    'Quota limit that the request would exceed. Present only with the code `quota_exceeded`.',
  ),
  request_id: z.string().describe('ID of the request in the log of the Davit instance.'),
});
export type Problem = z.infer<typeof Problem>;
