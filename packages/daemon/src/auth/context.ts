import type { Role, Via } from '@davit/api';
import type { Logger } from '@davit/service';

/** Kind of authentication that the caller used. */
export type Credential =
  | { kind: 'local' }
  | { kind: 'session'; id: number }
  /**
   * API key. `restricted` is `true` if the API key has an expiry date or fewer permissions than its owner. It is also
   * `true` if this was the case at the creation of the API key. `expiresAt` is in milliseconds since the epoch.
   */
  | { kind: 'key'; id: number; name: string; restricted: boolean; expiresAt: number | null }
  /**
   * Client that a user connected with OAuth. `name` comes from the client's metadata. The connected client can use only
   * the MCP endpoint.
   */
  | { kind: 'connection'; id: number; name: string };

/**
 * Returns whether the caller uses a connected client or a restricted API key. Such a caller must not change the account
 * of the user.
 */
export function isRestricted(credential: Credential): boolean {
  return credential.kind === 'connection' || (credential.kind === 'key' && credential.restricted);
}

/**
 * User or client that runs an operation. Davit determines the actor once for each request, and uses it for all
 * permission checks.
 */
export interface Actor {
  username: string;
  role: Role;
  /** IDs of the projects that the caller can access, or `null` for all projects. */
  projects: readonly number[] | null;
  via: Via;
  /** ID of the user, or `null` for the local operator and for Davit itself. */
  userId: number | null;
  /** Kind of authentication that the caller used. Not set for operations by Davit itself. */
  credential?: Credential;
}

/** Context of an operation. The context is the first argument of every function that implements an API endpoint. */
export interface OpContext {
  actor: Actor;
  requestId: string;
  log: Logger;
  /**
   * Signal that aborts when the client disconnects. Use this signal only to stop waiting, because a started operation
   * must not be interrupted.
   */
  signal: AbortSignal;
}
