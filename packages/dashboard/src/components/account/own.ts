import type { AccountClient, DavitError } from '@davit/api';
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { account } from '../../account.ts';
import { sessionHasBegun } from '../../session.ts';

const KEYS = ['own-keys'] as const;
const SESSIONS = ['own-sessions'] as const;
const CONNECTIONS = ['own-connections'] as const;

export const ownKeys = queryOptions({ queryKey: KEYS, queryFn: () => account.keys() });
export const ownSessions = queryOptions({ queryKey: SESSIONS, queryFn: () => account.sessions() });
export const ownConnections = queryOptions({ queryKey: CONNECTIONS, queryFn: () => account.connections() });

export const useOwnKeys = () => useSuspenseQuery(ownKeys).data;
export const useOwnSessions = () => useSuspenseQuery(ownSessions).data;
export const useOwnConnections = () => useSuspenseQuery(ownConnections).data;

type Calls = Pick<
  AccountClient,
  'createKey' | 'rotateKey' | 'revokeKey' | 'endSession' | 'changePassword' | 'consent' | 'endConnection'
>;

const CHANGES: Record<keyof Calls, readonly (readonly string[])[]> = {
  createKey: [KEYS],
  rotateKey: [KEYS],
  revokeKey: [KEYS],
  endSession: [SESSIONS],
  // A password change replaces the current session, ends all other sessions, and disconnects all connected clients.
  changePassword: [SESSIONS, CONNECTIONS],
  consent: [CONNECTIONS],
  endConnection: [CONNECTIONS],
};

/**
 * React hook for API calls that change the user's own account. A response may contain a secret. The response is
 * therefore removed from the cache as soon as no component shows the response.
 */
export function useOwnCall<Name extends keyof Calls>(name: Name, onDone?: (answer: OwnAnswer<Name>) => void) {
  const queries = useQueryClient();
  return useMutation<OwnAnswer<Name>, DavitError, Parameters<Calls[Name]>[0]>({
    mutationFn: (input) => (account[name] as (input: unknown) => Promise<OwnAnswer<Name>>)(input),
    gcTime: 0,
    onSuccess: async (answer) => {
      /*
       * Reconnect all tabs, because their event streams still use the old session. The password change has ended this
       * session.
       */
      if (name === 'changePassword') sessionHasBegun();
      await Promise.all(CHANGES[name].map((queryKey) => queries.invalidateQueries({ queryKey })));
      onDone?.(answer);
    },
  });
}

type OwnAnswer<Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]>>;
