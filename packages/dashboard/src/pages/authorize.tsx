/** A program asks for access: who it is, where the answer goes, and what it shall be able to do. */
import type { Authorization } from '@davit/api';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { account } from '../account.ts';
import { query } from '../api.ts';
import { useOwnCall } from '../components/account/own.ts';
import { type RightsDraft, RightsFields } from '../components/users/rights-fields.tsx';
import { Gate } from '../layout/gate.tsx';
import { useMe } from '../layout/me.ts';
import { loadShell } from '../layout/shell.tsx';
import type { LoadArgs } from '../routes.tsx';
import { Button } from '../ui/button.tsx';
import { Facts } from '../ui/card.tsx';
import { Copyable } from '../ui/copy.tsx';
import { Actions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { Problem } from '../ui/problem.tsx';

/** The program's question is the page's whole query, as it wrote it. */
const asked = (request: string) =>
  queryOptions({
    queryKey: ['authorization', request],
    queryFn: () => account.reviewAuthorization(request),
    retry: false,
    gcTime: 0,
  });

export async function load({ queries }: LoadArgs) {
  await loadShell(queries, `${location.pathname}${location.search}`);
  await Promise.all([queries.ensureQueryData(query('listProjects')), queries.ensureQueryData(asked(location.search))]);
}

export function Page() {
  const request = location.search;
  const authorization = useSuspenseQuery(asked(request)).data;
  return (
    <Gate title={`Let ${authorization.client.name} in?`} lead={`To ${location.host}`} wide>
      <Decision request={request} authorization={authorization} />
    </Gate>
  );
}

const WIDER = {
  viewer: null,
  member: 'It asks to run apps. Reading is enough to look around; choose more only if you want it to change things.',
  admin: 'It asks for everything. Reading is enough to look around; choose more only if you want it to change things.',
} as const;

function Decision({ request, authorization }: { request: string; authorization: Authorization }) {
  const me = useMe();
  const [rights, setRights] = useState<RightsDraft>({ role: 'viewer', projects: null });
  // The program waits at that address; the page is left for it.
  const decide = useOwnCall('consent', ({ redirect_to: to }) => location.assign(to));
  const missing = rights.projects?.length === 0 ? 'Choose a project first.' : null;
  const wider = WIDER[authorization.role];
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === null && !decide.isPending) decide.mutate({ request, allow: true, ...rights });
      }}
    >
      <Who authorization={authorization} username={me.username} />
      {wider && <Notice>{wider}</Notice>}
      <RightsFields me={me} of="key" draft={rights} onChange={setRights} />
      {decide.error && <Problem error={decide.error} />}
      <Actions>
        <Button busy={decide.isPending} onClick={() => decide.mutate({ request, allow: false })}>
          Refuse
        </Button>
        <Button type="submit" kind="primary" busy={decide.isPending} disabledBecause={missing}>
          Let it in
        </Button>
      </Actions>
    </form>
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
        A program that calls itself <strong>{client.name}</strong> asks for access to this instance as you, {username}.
        It will speak to the MCP endpoint alone, and you can end it on your account’s page.
      </p>
      <Facts
        rows={[
          ['Described by', <Copyable key="id" text={client.id} />],
          ['Answer goes to', isHere ? `${to}, on the machine of this browser` : to],
        ]}
      />
      <p className="text-sm text-soft">
        Only {client.host} is proven, not the name: go on only if you have just begun this yourself.
      </p>
    </>
  );
}
