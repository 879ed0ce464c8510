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

const WRONG = 'The user name or the password is wrong. Check both and try again.';
const CHANGED = 'Your password was changed in the meantime. Sign in again.';
const CLAIMED = 'This instance already has a user. Sign in instead.';

/** Creates the first account, signs users in and out, and changes passwords. */
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
   * Limits the rate of sign-in requests from one IP address, for all accounts together.
   * @throws DavitError too_many_requests
   */
  pace(address: string): void {
    this.#throttle.pace(address);
  }

  /**
   * Creates the first account with the role admin, and signs in this user. If there are concurrent requests, only one
   * request succeeds.
   * @throws DavitError conflict, forbidden for a wrong setup token, too_many_requests
   */
  async claim(input: SetupInput, origin: Origin): Promise<OpenedSession> {
    const { store, passwords, setupToken, now, log } = this.#parts;
    if (this.isClaimed()) throw new DavitError('conflict', CLAIMED);
    await this.#proveToken(input.token, origin.address);
    // A client with the correct setup token is a known client. The passwords of known clients are hashed first.
    const passwordHash = await passwords.hash(input.password, { source: addressNetwork(origin.address), known: true });
    const opened = store.tx((tx) => {
      // This check is repeated, because another request may have created an account while the password was hashed.
      if (hasUsers(tx)) throw new DavitError('conflict', CLAIMED);
      const at = now();
      const id = insertUser(tx, { username: input.username, passwordHash, role: 'admin', projects: null, at });
      store.trail.about({ target: input.username });
      return openSession(tx, { id, username: input.username, role: 'admin' }, origin, at);
    });
    try {
      setupToken.discard();
    } catch (error) {
      /*
       * A failed deletion is harmless, because the setup token is no longer valid. The next start of the daemon deletes
       * the file of the setup token.
       */
      log.warn({ error }, 'setup token could not be removed');
    }
    return opened;
  }

  /**
   * Verifies a password. For an unknown or blocked user, the error and the response time are the same as for a wrong
   * password.
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
   * Signs in a user. Also ends the previous session of this browser, because another user may have used the browser
   * before.
   * @param before token of the previous session
   * @throws DavitError unauthorized, too_many_requests
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

  /** Ends the session of the caller. @throws DavitError conflict if the caller does not use a session */
  signOut({ credential }: Caller): void {
    if (credential.kind !== 'session') {
      throw new DavitError(
        'conflict',
        'This request does not use a session, so there is nothing to sign out. To disable an API key, revoke the key.',
      );
    }
    this.#parts.store.tx((tx) => deleteSession(tx, credential.id));
  }

  /**
   * Changes the password of a user and ends all sessions of the user. API keys stay valid.
   * @returns new session, or `null` if the caller used an API key
   * @throws DavitError forbidden, conflict, too_many_requests
   */
  async changePassword(caller: Caller, input: PasswordChange, origin: Origin): Promise<OpenedSession | null> {
    const { store, passwords, now } = this.#parts;
    const user = ownAccount(store, caller);
    const { credential } = caller;
    if (isRestricted(credential)) {
      throw new DavitError(
        'forbidden',
        'A restricted API key cannot change the password. Sign in, or use an API key without restrictions.',
      );
    }
    const claimant = { source: addressNetwork(origin.address), known: true };
    const attempt = { account: user.username, address: origin.address, exists: true, capped: false };
    const right = await this.#throttle.attempt(attempt, () =>
      passwords.verify(input.current_password, user.password_hash, claimant),
    );
    if (!right) throw new DavitError('forbidden', 'The current password is wrong. Check it and try again.');
    const passwordHash = await passwords.hash(input.new_password, claimant);
    return store.tx((tx) => {
      /*
       * The password hash is compared again. In the meantime, an admin may have reset the password to lock out an
       * attacker.
       */
      const current = userById(tx, user.id);
      if (current?.password_hash !== user.password_hash) throw new DavitError('conflict', CHANGED);
      changePasswordHash(tx, user.id, passwordHash, now());
      // All sessions end, because an attacker may have stolen a session.
      deleteSessionsOfUser(tx, user.id);
      // All connected clients are disconnected, because an attacker with a stolen session may have connected a client.
      deleteGrantsOfUser(tx, user.id);
      return credential.kind === 'session' ? openSession(tx, current, origin, now()) : null;
    });
  }

  async #proveToken(token: string, address: string): Promise<void> {
    const { setupToken } = this.#parts;
    /*
     * `*setup*` cannot be a user name. Failed attempts are limited for each network, but not for all networks together.
     * Otherwise, an attacker could prevent the owner from setting up the instance.
     */
    const attempt = { account: '*setup*', address, exists: false, capped: false };
    const right = await this.#throttle.attempt(attempt, async () => {
      return setupToken.value !== null && equalSecrets(token, setupToken.value);
    });
    if (right) return;
    throw new DavitError(
      'forbidden',
      'The setup token is wrong. Find it in the output of the first start, or in the file setup-token of the data directory.',
    );
  }
}

/**
 * Returns the current data of an account after its password was verified.
 * @throws DavitError unauthorized if the password was changed in the meantime, or the account was blocked or deleted
 */
function stillProven(db: Reader, user: UserRow): UserRow {
  const current = userById(db, user.id);
  if (current?.password_hash === user.password_hash && current.blocked === 0) return current;
  throw new DavitError('unauthorized', WRONG);
}

/**
 * Returns the account of the caller. @throws DavitError conflict for the local operator, because the local operator has
 * no account
 */
export function ownAccount(store: Store, { actor }: Caller): UserRow {
  const user = actor.userId === null ? undefined : userById(store, actor.userId);
  if (user) return user;
  throw new DavitError(
    'conflict',
    'This request needs a Davit account, but the root user of the server has none. Sign in with a Davit account, then try again.',
  );
}
