import type { Role, Via } from '@davit/api';
import type { Logger } from '@davit/service';

/** Credential of a caller. */
export type Credential =
  | { kind: 'local' }
  | { kind: 'session'; id: number }
  /**
   * API key. `restricted` means fewer rights than its owner has, or had when the key was created, or an end date. `expiresAt` is in milliseconds since the
   * epoch.
   */
  | { kind: 'key'; id: number; name: string; restricted: boolean; expiresAt: number | null }
  /** Connected program with the name that it gave itself. Such a program can use only the MCP endpoint. */
  | { kind: 'connection'; id: number; name: string };

/**
 * Returns whether the credential was created for one purpose. Such a credential must not manage its owner's account.
 */
export function isRestricted(credential: Credential): boolean {
  return credential.kind === 'connection' || (credential.kind === 'key' && credential.restricted);
}

/** Caller of an operation, resolved once for each request. Every rule about rights uses an actor. */
export interface Actor {
  username: string;
  role: Role;
  /** Ids of the visible projects, or `null` for all projects. */
  projects: readonly number[] | null;
  via: Via;
  /** Id of the user, or `null` for the local operator and for Davit itself. */
  userId: number | null;
  /** Credential of the actor. Davit itself has none. */
  credential?: Credential;
}

/** First argument of every core function. */
export interface OpContext {
  actor: Actor;
  requestId: string;
  log: Logger;
  /** Aborts when the client disconnects. Use only for waits, never for work. */
  signal: AbortSignal;
}
