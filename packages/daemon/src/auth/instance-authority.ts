/**
 * Certificate authority (CA) of the instance. The CA signs the certificates of databases. With one CA file, clients
 * outside the server can verify the certificates of all databases.
 */
import type { Logger } from '@davit/service';
import { SealBroken, type Sealer } from '../db/seal.ts';
import type { Reader, Store } from '../db/store.ts';
import { readSetting, writeSetting } from '../db/tables/settings.ts';
import { type AuthorityPair, fingerprintOf, newAuthority } from './issue-certificate.ts';

/** Name of the setting with the encrypted key and certificate. The same text is the location for the encryption. */
const AUTHORITY = 'instance.authority';

export interface AuthorityDeps {
  store: Store;
  sealer: Sealer;
  facts: { id: string };
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

/**
 * Returns the CA of the instance. The first call creates the CA. If the stored key cannot be decrypted, also creates a
 * new CA, because databases could not start without certificates. Clients then need the new CA file.
 */
export async function instanceAuthority(base: AuthorityDeps): Promise<AuthorityPair> {
  const { store, sealer, facts, now, log } = base;
  const known = stored(base, store);
  if (known !== null) return known;
  const made = await newAuthority(`Davit CA ${facts.id}`, now());
  // The new CA is not part of the audit entry of the current request, because no user requested the CA.
  const { authority, isReplaced } = store.trail.apart(() =>
    store.tx((tx) => {
      // Another call may have stored a CA at the same time, and only one CA may exist.
      const other = stored(base, tx);
      if (other !== null) return { authority: other, isReplaced: false };
      const isReplaced = readSetting(tx, AUTHORITY) !== undefined;
      writeSetting(tx, AUTHORITY, sealer.seal(JSON.stringify(made), AUTHORITY));
      return { authority: made, isReplaced };
    }),
  );
  if (isReplaced)
    log.warn(
      { fingerprint: fingerprintOf(authority.certificate) },
      'the key of the CA could not be decrypted, so Davit has created a new CA; clients of databases need its certificate',
    );
  return authority;
}

function stored({ sealer }: Pick<AuthorityDeps, 'sealer'>, db: Reader): AuthorityPair | null {
  const sealed = readSetting(db, AUTHORITY);
  if (sealed === undefined) return null;
  try {
    // The cast of the parsed JSON is safe, because only this file writes the setting.
    return JSON.parse(sealer.open(sealed, AUTHORITY)) as AuthorityPair;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return null;
  }
}
