import { ROLES, type Role } from '@davit/api';
import { Check, Minus } from 'lucide-react';
import { Card } from '../../ui/card.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { RIGHTS, ROLE_WORDS } from './rights.ts';

type Row = (typeof RIGHTS)[number];

function Mark({ has, role }: { has: boolean; role: Role }) {
  return has ? (
    <span className="text-good">
      <Check className="inline size-4" aria-hidden />
      <span className="sr-only">{role}: yes</span>
    </span>
  ) : (
    <span className="text-soft">
      <Minus className="inline size-4" aria-hidden />
      <span className="sr-only">{role}: no</span>
    </span>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    name: 'Permission',
    cell: ({ name, words }) => (
      <div>
        <p className="font-medium">{name}</p>
        <p className="text-soft max-sm:hidden">{words}</p>
      </div>
    ),
  },
  ...ROLES.map((role) => ({
    name: role,
    cell: ({ roles }: Row) => <Mark has={roles.includes(role)} role={role} />,
  })),
];

/** Shows the permissions of each role. The server uses the same table to check permissions. */
export function Roles() {
  return (
    <Card title="Roles" description="A role applies to all projects that the user can access.">
      <div className="flex flex-col gap-4">
        <Table
          label="Permissions of each role"
          columns={COLUMNS}
          rows={RIGHTS}
          keyOf={({ permission }) => permission}
        />
        <dl className="flex flex-col gap-1 text-sm sm:hidden">
          {RIGHTS.map(({ permission, name, words }) => (
            <div key={permission}>
              <dt className="font-medium">{name}</dt>
              <dd className="text-soft">{words}</dd>
            </div>
          ))}
        </dl>
        <dl className="flex flex-col gap-1 text-sm">
          {ROLES.map((role) => (
            <div key={role} className="flex gap-2">
              <dt className="w-16 shrink-0 font-medium">{role}</dt>
              <dd className="text-soft">{ROLE_WORDS[role]}</dd>
            </div>
          ))}
        </dl>
        <p className="text-sm text-soft">
          A user with access to selected projects does not see other projects. An API key has the permissions of its
          user, or fewer.
        </p>
      </div>
    </Card>
  );
}
