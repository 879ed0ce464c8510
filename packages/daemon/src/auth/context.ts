import type { Role, Via } from '@davit/api';
import type { Logger } from '@davit/service';

/** What a caller proved who he is with. */
export type Credential =
  | { kind: 'local' }
  | { kind: 'session'; id: number }
  /** `restricted`: it may do less than its owner, or not for ever. Milliseconds since the epoch. */
  | { kind: 'key'; id: number; name: string; restricted: boolean; expiresAt: number | null }
  /** A program that a person has let in, by the name that it gave itself; it reaches the MCP endpoint alone. */
  | { kind: 'connection'; id: number; name: string };

/** It was given away for one purpose: it deals with nothing of its owner's own. */
export function isRestricted(credential: Credential): boolean {
  return credential.kind === 'connection' || (credential.kind === 'key' && credential.restricted);
}

/** Who asks, resolved once at the edge; every rule about rights starts from one of these. */
export interface Actor {
  username: string;
  role: Role;
  /** Ids of the projects it sees; null: all. */
  projects: readonly number[] | null;
  via: Via;
  /** The user's id; null for the local operator and the platform itself. */
  userId: number | null;
  /** Absent for the platform itself. */
  credential?: Credential;
}

/** The first argument of every core function. */
export interface OpContext {
  actor: Actor;
  requestId: string;
  log: Logger;
  /** Aborts when the client has gone: for waits only, never for work. */
  signal: AbortSignal;
}
