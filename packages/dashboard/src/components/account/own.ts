/** One's own keys, sessions and connected programs: read and changed through the account's own routes. */
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
  // It replaces this session, and ends the others and all connections.
  changePassword: [SESSIONS, CONNECTIONS],
  consent: [CONNECTIONS],
  endConnection: [CONNECTIONS],
};

/** One of the account's own calls; its answer, which may be a secret, is forgotten as soon as nobody shows it. */
export function useOwnCall<Name extends keyof Calls>(name: Name, onDone?: (answer: OwnAnswer<Name>) => void) {
  const queries = useQueryClient();
  return useMutation<OwnAnswer<Name>, DavitError, Parameters<Calls[Name]>[0]>({
    mutationFn: (input) => (account[name] as (input: unknown) => Promise<OwnAnswer<Name>>)(input),
    gcTime: 0,
    onSuccess: async (answer) => {
      // The answer replaced the session. The live stream was opened with the old one, in this tab and in the others.
      if (name === 'changePassword') sessionHasBegun();
      await Promise.all(CHANGES[name].map((queryKey) => queries.invalidateQueries({ queryKey })));
      onDone?.(answer);
    },
  });
}

type OwnAnswer<Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]>>;
