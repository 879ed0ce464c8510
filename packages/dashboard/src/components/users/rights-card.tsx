import type { User } from '@davit/api';
import { useState } from 'react';
import { matching, useAnswer, useCall } from '../../api.ts';
import { useMe } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Form } from '../../ui/form.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../ui/toast.tsx';
import { whyLastAdmin } from './rights.ts';
import { type RightsDraft, RightsFields } from './rights-fields.tsx';

const same = (a: RightsDraft, b: RightsDraft) =>
  a.role === b.role && JSON.stringify(a.projects?.toSorted()) === JSON.stringify(b.projects?.toSorted());

export function RightsCard({ user }: { user: User }) {
  const me = useMe();
  const users = useAnswer('listUsers');
  const [base, setBase] = useState(user);
  const [draft, setDraft] = useState<RightsDraft>({ role: user.role, projects: user.projects });
  const change = useCall('patchUser', {
    changes: ['getUser', 'listUsers', 'listUserKeys', 'getMe'],
    onDone: () => say(`Changed the permissions of ${user.username}. They apply immediately.`),
  });
  const isSame = same(draft, base);
  // The form contains no unsaved changes. Therefore, show the new role and projects from the server.
  if (base !== user && isSame && !change.isPending) {
    setBase(user);
    setDraft({ role: user.role, projects: user.projects });
  }
  const last = whyLastAdmin(user, users, { ...user, ...draft });
  const save = () =>
    change.mutate(
      { params: { user: user.username }, body: draft, ...matching(base) },
      { onSuccess: ({ role, projects }) => setDraft({ role, projects }) },
    );
  const reset = () => {
    setBase(user);
    setDraft({ role: user.role, projects: user.projects });
    change.reset();
  };
  const unsendable = last ?? (isSame ? 'There are no changes to save.' : null);
  return (
    <Card title="Permissions" description="Changes apply immediately, also to the API keys of the user.">
      <Form className="flex flex-col gap-4" disabledBecause={unsendable} busy={change.isPending} onSubmit={save}>
        <RightsFields me={me} of="user" draft={draft} onChange={setDraft} />
        {change.error && <Problem error={change.error} />}
        {last !== null && <p className="text-sm text-warning">{last}</p>}
        <div className="flex flex-wrap justify-end gap-2">
          {!isSame && <Button onClick={reset}>Discard</Button>}
          <Button type="submit" kind="primary" busy={change.isPending} disabledBecause={unsendable}>
            Save permissions
          </Button>
        </div>
      </Form>
    </Card>
  );
}
