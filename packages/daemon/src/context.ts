import type { Role } from '@davit/api';
import type { Logger } from '@davit/service';

/** Who asks, resolved once at the edge; every rule about rights starts from one of these. */
export interface Actor {
  username: string;
  role: Role;
  /** Ids of the projects it sees; null: all. */
  projects: readonly number[] | null;
  via: 'api' | 'dashboard' | 'cli' | 'mcp' | 'local' | 'push' | 'schedule';
  /** The user's id; null for the local operator and the platform itself. */
  userId: number | null;
}

/** The first argument of every core function. */
export interface OpContext {
  actor: Actor;
  requestId: string;
  log: Logger;
  /** Aborts when the client has gone: for waits only, never for work. */
  signal: AbortSignal;
}
