import { z } from 'zod';

/**
 * Why a stream goes on from now instead of from where the reader was, or ends. `position_gone`: what follows the position
 * is not kept any more, or it was never given. The others end the stream: `slow_reader`: it took less than there was to
 * read. `rights_ended`: the key, the session or the account may not read this any more, or the thing is gone. `stopping`:
 * the instance stops. `unavailable`, `failed`: the message says why. `client_gone` is never sent: nobody is there.
 */
export const RESET_REASONS = [
  'position_gone',
  'slow_reader',
  'rights_ended',
  'stopping',
  'unavailable',
  'failed',
  'client_gone',
] as const;
export type ResetReason = (typeof RESET_REASONS)[number];

/** The data of an event `reset`, which any stream may send. */
export const Reset = z
  .object({
    reason: z.enum(RESET_REASONS).describe('For programs to tell them apart.'),
    message: z.string().describe('What happened, in a sentence.'),
  })
  .meta({ id: 'Reset', description: 'Why a stream does not go on from where the reader was, or ends.' });
export type Reset = z.infer<typeof Reset>;
