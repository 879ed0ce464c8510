import type { Role, Via } from '@davit/api';
import type { Logger } from '@davit/service';

/** How a caller was authenticated. */
export type Credential =
  | { kind: 'local' }
  | { kind: 'session'; id: number }
  /**
   * API key. `restricted` is `true` if the key has fewer permissions than its owner or an expiry date, or had one of
   * these at its creation. `expiresAt` is in ms since the epoch.
   */
  | { kind: 'key'; id: number; name: string; restricted: boolean; expiresAt: number | null }
  /**
   * Client that a user connected with OAuth. `name` comes from the client's metadata. The client can use only the MCP
   * endpoint.
   */
  | { kind: 'connection'; id: number; name: string };

/**
 * Returns whether the caller uses a connected client or a restricted API key. Such a caller must not change the account
 * of the user.
 */
export function isRestricted(credential: Credential): boolean {
  return credential.kind === 'connection' || (credential.kind === 'key' && credential.restricted);
}

/** User or client that runs an operation. It is determined once per request and used for all permission checks. */
export interface Actor {
  username: string;
  role: Role;
  /** IDs of the projects that the caller can access, or `null` for all projects. */
  projects: readonly number[] | null;
  via: Via;
  /** ID of the user, or `null` for the local operator and for Davit itself. */
  userId: number | null;
  /** How the caller was authenticated. Absent for operations by Davit itself. */
  credential?: Credential;
}

/** Context of an operation. It is the first argument of every function that implements an API endpoint. */
export interface OpContext {
  actor: Actor;
  requestId: string;
  log: Logger;
  /**
   * Signal that aborts when the client disconnects. Use it only to stop waiting, because an operation that has started
   * must not be interrupted.
   */
  signal: AbortSignal;
}
