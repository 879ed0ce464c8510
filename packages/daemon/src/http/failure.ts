import { DavitError, ERRORS, type ErrorCode } from '@davit/api';
import { SQLITE, sqliteCode } from '@davit/service';
import { EngineUnavailable } from '../adapters/engine/errors.ts';
import { ProxyUnavailable } from '../adapters/proxy/proxy.ts';
import { RegistryUnavailable } from '../adapters/registry/registry.ts';
import { sealRefusal } from '../app-spec/unsealed.ts';
import { DAMAGED, isStoreDamage } from '../db/damage.ts';
import { SealBroken } from '../db/seal.ts';
import { AuditUnwritable } from '../db/tables/audit-trail.ts';
import { Interrupted } from '../workflow/interrupted.ts';

/**
 * Converts any error into an error for the client. If the error is unexpected, the client only gets the advice to
 * search the log of the instance.
 */
export function publicError(error: unknown): DavitError {
  if (error instanceof DavitError) return error;
  if (error instanceof SealBroken) return sealRefusal(error);
  const known = KNOWN.find(({ is }) => is(error));
  if (known === undefined) return new DavitError('internal', undefined, { cause: error });
  return new DavitError(known.code, known.say(error as Error), { cause: error, retryAfterS: known.retryAfterS });
}

interface Known {
  is: (error: unknown) => boolean;
  code: ErrorCode;
  say: (error: Error) => string;
  retryAfterS: number;
}

const KNOWN: readonly Known[] = [
  // This rule must be the first rule, because a damaged database file also causes errors that later rules match.
  { is: isStoreDamage, code: 'storage_unavailable', say: () => DAMAGED, retryAfterS: 300 },
  {
    is: (error) => error instanceof AuditUnwritable,
    code: 'storage_unavailable',
    say: () =>
      'The audit log cannot be written, so nothing was changed. Find the reason in the log of the instance, and free disk space if necessary.',
    retryAfterS: 30,
  },
  {
    is: (error) => error instanceof Interrupted,
    code: 'unavailable',
    say: (error) => error.message,
    retryAfterS: 5,
  },
  {
    is: (error) => error instanceof EngineUnavailable,
    code: 'engine_unavailable',
    say: () => ERRORS.engine_unavailable.message,
    retryAfterS: 5,
  },
  {
    is: (error) => error instanceof ProxyUnavailable,
    code: 'proxy_unavailable',
    say: () => ERRORS.proxy_unavailable.message,
    retryAfterS: 5,
  },
  {
    is: (error) => error instanceof RegistryUnavailable,
    code: 'registry_unavailable',
    say: (error) => error.message,
    retryAfterS: 5,
  },
  {
    is: (error) => sqliteCode(error) === SQLITE.full,
    code: 'storage_unavailable',
    say: () => 'The disk of the instance is full, so no change can be stored. Free some space, then try again.',
    retryAfterS: 30,
  },
  {
    is: (error) => sqliteCode(error) === SQLITE.io,
    code: 'storage_unavailable',
    say: () => 'The disk of the instance reports an error, so no change can be stored. Check the disk.',
    retryAfterS: 300,
  },
];
