import { DavitError, type LoginInput, type PasswordChange, type SetupInput } from '@davit/api';
import type { Logger } from '@davit/service';
import type { Reader, Store } from '../db/store.ts';
import { deleteGrantsOfUser } from '../db/tables/oauth.ts';
import { deleteSession, deleteSessionsOfUser, sessionByHash } from '../db/tables/session.ts';
import {
  changePasswordHash,
  hasUsers,
  insertUser,
  knowsNetwork,
  renewPasswordHash,
  type UserRow,
  userById,
  userByName,
} from '../db/tables/user.ts';
import type { Caller } from './actor.ts';
import { isRestricted } from './context.ts';
import { addressNetwork } from './facts.ts';
import { isOutdated, type Passwords } from './passwords.ts';
import { equalSecrets, hashSecret } from './secrets.ts';
import { type OpenedSession, type Origin, openSession } from './sessions.ts';
import type { SetupToken } from './setup-token.ts';
import { Throttle } from './throttle.ts';

export interface AccountParts {
  store: Store;
  passwords: Passwords;
  setupToken: SetupToken;
  now: () => number;
  log: Logger;
}

const WRONG = 'The username or the password is wrong.';
const CHANGED = 'Your password was changed by somebody else in the meantime: sign in again.';
const CLAIMED = 'This instance has been claimed already: sign in instead.';

/** The claim, sign-in and passwords. */
export class Accounts {
  readonly #parts: AccountParts;
  readonly #throttle: Throttle;

  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.#throttle = new Throttle(parts.now);
  }

  isClaimed(): boolean {
    return hasUsers(this.#parts.store);
  }

  /**
   * Lets an address try only so often, whatever it tries.
   * @throws DavitError too_many_requests
   */
  pace(address: string): void {
    this.#throttle.pace(address);
  }

  /**
   * Makes the first account, an admin, and signs it in. Of two at the same moment one wins.
   * @throws DavitError conflict (claimed), forbidden (wrong token), too_many_requests
   */
  async claim(input: SetupInput, origin: Origin): Promise<OpenedSession> {
    const { store, passwords, setupToken, now, log } = this.#parts;
    if (this.isClaimed()) throw new DavitError('conflict', CLAIMED);
    await this.#proveToken(input.token, origin.address);
    // Whoever has the token is known.
    const passwordHash = await passwords.hash(input.password, { source: addressNetwork(origin.address), known: true });
    const opened = store.tx((tx) => {
      // Asked again: another claim may have been made while this one's password was hashed.
      if (hasUsers(tx)) throw new DavitError('conflict', CLAIMED);
      const at = now();
      const id = insertUser(tx, { username: input.username, passwordHash, role: 'admin', projects: null, at });
      store.trail.about({ target: input.username });
      return openSession(tx, { id, username: input.username, role: 'admin' }, origin, at);
    });
    try {
      setupToken.discard();
    } catch (error) {
      // The next start removes it; the account that is there makes it worthless already.
      log.warn({ error }, 'could not remove the setup token');
    }
    return opened;
  }

  /**
   * Says whose a name and a password are. A name that is not known, a password that is wrong and a user who is blocked
   * look and take the same.
   * @throws DavitError unauthorized, too_many_requests
   */
  async prove({ username, password }: LoginInput, address: string): Promise<UserRow> {
    const { store, passwords } = this.#parts;
    const user = userByName(store, username);
    if (user) store.trail.about({ target: user.username });
    const source = addressNetwork(address);
    const known = user !== undefined && knowsNetwork(store, user.id, source);
    const attempt = { account: username, address, exists: user !== undefined, capped: !known };
    const right = await this.#throttle.attempt(attempt, () =>
      passwords.verify(password, user?.password_hash, { source, known }),
    );
    if (!right || user === undefined) throw new DavitError('unauthorized', WRONG);
    return stillProven(store, user);
  }

  /**
   * Signs in. The session that the browser had before ends: its cookie is replaced, so that nobody could end it there
   * later, and what is still open with it would go on as somebody else.
   * @param before the token of that session
   * @throws DavitError as {@link prove}
   */
  async signIn(input: LoginInput, origin: Origin, before?: string): Promise<OpenedSession> {
    const { store, passwords, now } = this.#parts;
    const user = await this.prove(input, origin.address);
    const claimant = { source: addressNetwork(origin.address), known: true };
    const renewed = isOutdated(user.password_hash) ? await passwords.hash(input.password, claimant) : null;
    return store.tx((tx) => {
      const current = stillProven(tx, user);
      if (renewed !== null) renewPasswordHash(tx, user.id, renewed);
      const replaced = before === undefined ? undefined : sessionByHash(tx, hashSecret(before));
      if (replaced !== undefined) deleteSession(tx, replaced.id);
      return openSession(tx, current, origin, now());
    });
  }

  /** @throws DavitError conflict when no session speaks for the caller */
  signOut({ credential }: Caller): void {
    if (credential.kind !== 'session') {
      throw new DavitError('conflict', 'Only a session can be signed out; an API key is revoked instead.');
    }
    this.#parts.store.tx((tx) => deleteSession(tx, credential.id));
  }

  /**
   * Changes the caller's own password. Ends all of their sessions and all connections of programs. Keys stay.
   * @returns the session that replaces the one that the request was sent with, or `null` if a key was used. The old token
   * must not stay valid: someone else may have a copy of it.
   * @throws DavitError forbidden (wrong password, restricted key), conflict (no account), too_many_requests
   */
  async changePassword(caller: Caller, input: PasswordChange, origin: Origin): Promise<OpenedSession | null> {
    const { store, passwords, now } = this.#parts;
    const user = ownAccount(store, caller);
    const { credential } = caller;
    if (isRestricted(credential)) {
      throw new DavitError('forbidden', 'A restricted API key cannot change the password: sign in to do that.');
    }
    const claimant = { source: addressNetwork(origin.address), known: true };
    const attempt = { account: user.username, address: origin.address, exists: true, capped: false };
    const right = await this.#throttle.attempt(attempt, () =>
      passwords.verify(input.current_password, user.password_hash, claimant),
    );
    if (!right) throw new DavitError('forbidden', 'The current password is wrong.');
    const passwordHash = await passwords.hash(input.new_password, claimant);
    return store.tx((tx) => {
      // An admin may have given another one, to shut somebody out, while this one was hashed.
      const current = userById(tx, user.id);
      if (current?.password_hash !== user.password_hash) throw new DavitError('conflict', CHANGED);
      changePasswordHash(tx, user.id, passwordHash, now());
      deleteSessionsOfUser(tx, user.id);
      // Somebody who once had a session may have let in a program of his own.
      deleteGrantsOfUser(tx, user.id);
      return credential.kind === 'session' ? openSession(tx, current, origin, now()) : null;
    });
  }

  async #proveToken(token: string, address: string): Promise<void> {
    const { setupToken } = this.#parts;
    // Under a name that no account can have. Guesses from elsewhere do not keep the owner from claiming.
    const attempt = { account: '*setup*', address, exists: false, capped: false };
    const right = await this.#throttle.attempt(attempt, async () => {
      return setupToken.value !== null && equalSecrets(token, setupToken.value);
    });
    if (right) return;
    const where = 'it was printed at the start, and is in the file setup-token of the data directory';
    throw new DavitError('forbidden', `The setup token is wrong: ${where}.`);
  }
}

/** The account as it is now: it may have changed while its password was checked. @throws DavitError unauthorized */
function stillProven(db: Reader, user: UserRow): UserRow {
  const current = userById(db, user.id);
  if (current?.password_hash === user.password_hash && current.blocked === 0) return current;
  throw new DavitError('unauthorized', WRONG);
}

/** @throws DavitError conflict for the local operator, who has none */
export function ownAccount(store: Store, { actor }: Caller): UserRow {
  const user = actor.userId === null ? undefined : userById(store, actor.userId);
  if (user) return user;
  throw new DavitError('conflict', 'The local operator has no account of its own: sign in as a user for this.');
}
