import { z } from 'zod';
import { ERRORS, type ErrorCode, FIELD_CODES, type FieldCode } from '../errors.ts';
import { QuotaRefusal } from './quota.ts';

// `z.enum` needs a non-empty array. The cast is safe, because `FIELD_CODES` has at least one key.
export const FieldCodeSchema = z.enum(Object.keys(FIELD_CODES) as [FieldCode, ...FieldCode[]]);

const FieldProblem = z.object({
  path: z
    .string()
    .describe(
      'Path of the invalid field in the request, for example `health.path` or `hosts.0`, or the name of a header. Empty if the problem concerns the whole body.',
    ),
  code: FieldCodeSchema.describe('Code of the problem.'),
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
      'Path of the help of the instance about the error, such as `/help/solve-common-problems#disk-full`, or `about:blank`.',
    ),
  title: z.string().describe('Title of the error code.'),
  status: z.int(),
  detail: z.string().describe('Description of the error in one sentence: what happened and what to do.'),
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).describe('Error code.'),
  fields: z.array(FieldProblem).describe('Invalid fields of the request. `detail` describes the first one.'),
  retryable: z.boolean().describe('Whether the same request can succeed later.'),
  quota: QuotaRefusal.optional().describe(
    'Limit of the quota that the request exceeds. Present only with the code `quota_exceeded`.',
  ),
  request_id: z.string().describe('ID of the request in the log of the daemon.'),
});
export type Problem = z.infer<typeof Problem>;
