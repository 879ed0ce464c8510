import { DavitError } from '@davit/api';
import { Interrupted } from '../deploy/work.ts';
import { EngineUnavailable } from '../engine/errors.ts';
import { ProxyUnavailable } from '../proxy/proxy.ts';
import { RegistryUnavailable } from '../registry/registry.ts';
import { sealRefusal } from '../release/unsealed.ts';
import { AuditUnwritable } from '../store/audit-trail.ts';
import { SealBroken } from '../store/seal.ts';

const SQLITE_FULL = 13;

/** What the caller is told of anything that was thrown. Unknown failures tell nothing but where to look. */
export function publicError(error: unknown): DavitError {
  if (error instanceof DavitError) return error;
  if (error instanceof SealBroken) return sealRefusal(error);
  const known = KNOWN.find(({ is }) => is(error));
  if (known === undefined) return new DavitError('internal', undefined, { cause: error });
  return new DavitError('unavailable', known.say(error as Error), { cause: error, retryAfterS: known.retryAfterS });
}

interface Known {
  is: (error: unknown) => boolean;
  say: (error: Error) => string;
  retryAfterS: number;
}

const KNOWN: readonly Known[] = [
  {
    is: (error) => error instanceof AuditUnwritable,
    say: () =>
      'The audit log cannot be written, so nothing was changed: see the log of this instance, and free its disk.',
    retryAfterS: 30,
  },
  {
    is: (error) => error instanceof Interrupted,
    say: (error) => error.message,
    retryAfterS: 5,
  },
  {
    is: (error) => error instanceof EngineUnavailable,
    say: () => 'The container engine does not answer: nothing was changed. See /readyz for the reason, and try again.',
    retryAfterS: 5,
  },
  {
    is: (error) => error instanceof ProxyUnavailable,
    say: () => 'The proxy cannot be reached; what was recorded will be made true as soon as it can. Try again shortly.',
    retryAfterS: 5,
  },
  {
    is: (error) => error instanceof RegistryUnavailable,
    say: (error) => error.message,
    retryAfterS: 5,
  },
  {
    is: (error) => (error as { errcode?: unknown } | null)?.errcode === SQLITE_FULL,
    say: () => 'The disk of this instance is full, so nothing can be recorded: free some space and try again.',
    retryAfterS: 30,
  },
];
