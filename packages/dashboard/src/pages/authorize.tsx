/**
 * OAuth consent page, which asks whether a client may access the instance. The page shows the client, its redirect URL,
 * and the requested role.
 */
import type { Authorization, ConsentInput } from '@davit/api';
import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { account } from '../account.ts';
import { query, queryClient } from '../api.ts';
import { useOwnCall } from '../components/account/own.ts';
import { type RightsDraft, RightsFields } from '../components/users/rights-fields.tsx';
import { Gate } from '../layout/gate.tsx';
import { useMe } from '../layout/me.ts';
import { loadShell } from '../layout/shell.tsx';
import { signOut } from '../layout/sign-out.ts';
import { startLive } from '../live/live.ts';
import type { LoadArgs } from '../load-args.ts';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Copyable } from '../ui/copy.tsx';
import { Actions } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';
import { Problem } from '../ui/problem.tsx';
import { sayProblem } from '../ui/toast.tsx';

/**
 * Returns the TanStack Query options for an OAuth authorization request.
 * @param request complete query string of the page's URL
 */
const authorizationQuery = (request: string) =>
  queryOptions({
    queryKey: ['authorization', request],
    queryFn: () => account.reviewAuthorization(request),
    retry: false,
    gcTime: 0,
  });

/** Returns the URL of this page, which the browser opens again after the sign-in. */
const here = () => `${location.pathname}${location.search}`;

export async function load({ queries }: LoadArgs) {
  await loadShell(queries, here());
  await Promise.all([
    queries.ensureQueryData(query('listProjects')),
    queries.ensureQueryData(authorizationQuery(location.search)),
  ]);
}

export function Page() {
  const request = location.search;
  // Reload the page if another user signs in. Otherwise, the wrong user could give an OAuth client access.
  useEffect(() => startLive(queryClient), []);
  const authorization = useSuspenseQuery(authorizationQuery(request)).data;
  return (
    <Gate title={`Give ${authorization.client.name} access?`} lead={`Access to ${location.host}`} wide>
      <Decision request={request} authorization={authorization} />
    </Gate>
  );
}

const WIDER = {
  viewer: null,
  member:
    'The client requests permission to manage apps. To give the client read-only access, choose the role “viewer”.',
  admin: 'The client requests full access. To give the client read-only access, choose the role “viewer”.',
} as const;

function Decision({ request, authorization }: { request: string; authorization: Authorization }) {
  const me = useMe();
  const [rights, setRights] = useState<RightsDraft>({ role: 'viewer', projects: null });
  const decide = useDecision(me.username);
  const missing = rights.projects?.length === 0 ? 'Choose a project first.' : null;
  const wider = WIDER[authorization.role];
  return (
    <Form
      className="flex flex-col gap-4"
      disabledBecause={missing}
      busy={decide.isPending}
      onSubmit={() => decide.mutate({ request, allow: true, ...rights })}
    >
      <Who authorization={authorization} username={me.username} />
      {wider && <Notice>{wider}</Notice>}
      <RightsFields me={me} of="key" draft={rights} onChange={setRights} />
      {decide.error && <Problem error={decide.error} />}
      <Actions>
        <Button busy={decide.isPending} onClick={() => decide.mutate({ request, allow: false })}>
          Deny
        </Button>
        <Button type="submit" kind="primary" busy={decide.isPending} disabledBecause={missing}>
          Allow access
        </Button>
      </Actions>
    </Form>
  );
}

/**
 * Returns a function that sends the decision of the user about an OAuth client. The function sends nothing if another
 * user has meanwhile signed in in another tab.
 */
function useDecision(username: string) {
  const queries = useQueryClient();
  // Open the redirect URL from the response, because the OAuth client receives the user's decision at this URL.
  const consent = useOwnCall('consent', ({ redirect_to: to }) => location.assign(to));
  return useMutation({
    mutationFn: async (decision: ConsentInput) => {
      const now = await queries.fetchQuery({ ...query('getMe'), staleTime: 0 });
      // If another user is signed in now, do not send the decision. The page reloads and shows the other user.
      if (now.username === username) await consent.mutateAsync(decision);
    },
  });
}

function SignedIn({ username }: { username: string }) {
  const router = useRouter();
  const queries = useQueryClient();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 rounded-md bg-sunken px-3 py-1.5 text-sm">
      <p className="min-w-0 py-1 break-words">
        You are signed in as <strong>{username}</strong>.
      </p>
      <Button kind="quiet" className="-mx-3" onClick={() => void signOut(queries, router, here()).catch(sayProblem)}>
        Sign in as another user
      </Button>
    </div>
  );
}

function Who({
  authorization: { client, redirect_host: to, on_this_machine: isHere },
  username,
}: {
  authorization: Authorization;
  username: string;
}) {
  return (
    <>
      <p className="text-sm">
        A client with the name <strong>{client.name}</strong> requests access to this instance in your name. A client
        can use only the MCP endpoint, which cannot manage users or the settings of the instance. You can disconnect the
        client on your account page.
      </p>
      <SignedIn username={username} />
      <Facts
        rows={[
          ['Client metadata', <Copyable key="id" text={client.id} />],
          ['Redirects to', isHere ? `${to}, on this computer` : to],
        ]}
      />
      <p className="text-sm text-soft">
        Davit verified the host {client.host}, but not the name. Continue only if you started this sign-in yourself.
      </p>
    </>
  );
}
