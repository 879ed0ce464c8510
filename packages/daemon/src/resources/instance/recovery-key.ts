import { invalidField, type RecoveryKeyInput } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { demandAllProjects } from '../../authorization/lookup.ts';
import { isCurrentCopy, readRecoveryCopy, writeRecoveryCopy } from '../../config/recovery-file.ts';
import { PublicKeyInvalid } from '../../db/key-wrap.ts';
import type { InstanceDeps } from './deps.ts';
import type { Finding } from './finding.ts';

type RecoveryDeps = Pick<InstanceDeps, 'facts' | 'sealer' | 'store'>;

/**
 * Encrypts the copy of the master key with a new recovery key. Davit never gets the secret part of the recovery key.
 * @throws DavitError forbidden; invalid_input for an invalid public key
 */
export async function replaceRecoveryKey(
  { facts, sealer, store }: RecoveryDeps,
  { actor }: OpContext,
  { public_key: recipient }: RecoveryKeyInput,
): Promise<void> {
  demandAllProjects(actor, 'replace the recovery key');
  store.trail.demandRights();
  try {
    await writeRecoveryCopy(facts, sealer, recipient);
  } catch (cause) {
    if (!(cause instanceof PublicKeyInvalid)) throw cause;
    throw invalidField('public_key', 'invalid_format', 'must be an X25519 public key.');
  }
}

/** Returns a warning if a lost master key could not be restored. */
export function recoveryKeyFindings({ facts, sealer }: RecoveryDeps): Finding[] {
  const copy = readRecoveryCopy(facts.dataDir);
  if (isCurrentCopy(copy, sealer, facts.id)) return [];
  const why = copy === null ? 'The instance has no recovery key' : 'The recovery key does not match the master key';
  const text = `${why}, so the secrets are lost if the master key is lost. Create a recovery key: davit instance recovery-key`;
  return [{ check: 'recovery_key', state: 'warning', text }];
}
