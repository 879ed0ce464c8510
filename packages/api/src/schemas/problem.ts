import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';

/** An error for who prefers `application/problem+json` (RFC 9457); everybody else gets its `detail` as text. */
export const Problem = z.object({
  type: z.literal('about:blank'),
  title: z.string().describe('What this code means, the same each time.'),
  status: z.int(),
  detail: z.string().describe('One sentence that says what happened and what to do.'),
  // Made from the closed list, which has at least one.
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).describe('For programs to tell errors apart.'),
  request_id: z.string().describe('The request in the log.'),
});
export type Problem = z.infer<typeof Problem>;
