import type { Me } from '@davit/api';
import { Card, Facts } from '../../ui/card.tsx';
import { projectsInWords, RIGHTS } from '../users/rights.ts';

const CREDENTIALS: Record<Me['credential'], string> = {
  session: 'a browser session (username and password)',
  key: 'an API key',
  local: 'the local Unix socket of the server',
  connection: 'an OAuth client',
};

export function Who({ me }: { me: Me }) {
  const may = RIGHTS.filter(({ roles }) => roles.includes(me.role));
  return (
    <Card title="Your account">
      <div className="flex flex-col gap-4">
        <Facts
          rows={[
            [
              'Username',
              <span key="name" className="font-medium">
                {me.username}
              </span>,
            ],
            ['Role', me.role],
            ['Projects', projectsInWords(me.projects)],
            ['Signed in with', CREDENTIALS[me.credential]],
          ]}
        />
        <div className="text-sm">
          <h3 className="mb-1 font-medium">Permissions</h3>
          <ul className="flex flex-col gap-1 text-soft">
            {may.map(({ permission, name, words }) => (
              <li key={permission}>
                <span className="text-text">{name}.</span> {words}
              </li>
            ))}
          </ul>
          {me.role !== 'admin' && <p className="mt-2 text-soft">An admin can change your permissions.</p>}
        </div>
      </div>
    </Card>
  );
}
