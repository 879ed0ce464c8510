import { Plus } from 'lucide-react';
import { query } from '../api.ts';
import { mayAdminister } from '../components/admin/may.ts';
import { NotForYou } from '../components/admin/not-for-you.tsx';
import { Roles } from '../components/users/roles.tsx';
import { UsersList } from '../components/users/users-list.tsx';
import { useForbidden } from '../layout/me.ts';
import { Page as Frame } from '../layout/page.tsx';
import type { LoadArgs } from '../load-args.ts';
import { Button } from '../ui/button.tsx';
import { SearchTabs, tabOf } from '../ui/search-tabs.tsx';
import { useSearchChange, useSearchText } from '../util/params.ts';

const TABS = [
  { value: 'users', label: 'Users' },
  { value: 'roles', label: 'Roles' },
] as const;

export async function load({ queries }: LoadArgs) {
  if (!(await mayAdminister(queries))) return;
  await Promise.all([
    queries.ensureQueryData(query('listUsers')),
    // Fetch the list of projects, because the form for a new user needs this list.
    queries.ensureQueryData(query('listProjects')),
  ]);
}

export function Page() {
  const forbidden = useForbidden('administer');
  const [text] = useSearchText('tab');
  const change = useSearchChange();
  const tab = tabOf(TABS, text);
  return (
    <Frame
      title="Users"
      actions={
        <Button kind="primary" disabledBecause={forbidden} onClick={() => change({ tab: null, new: '1' })}>
          <Plus className="size-4" aria-hidden /> New user
        </Button>
      }
      tabs={<SearchTabs label="Users" tabs={TABS} current={tab} />}
    >
      {tab === 'roles' && <Roles />}
      {tab === 'users' && (forbidden === null ? <UsersList /> : <NotForYou what="users" reason={forbidden} />)}
    </Frame>
  );
}
