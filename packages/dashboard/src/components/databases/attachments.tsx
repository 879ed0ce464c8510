import type { App, DatabaseAttachment } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { appPath, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { AttachDialog, DetachDialog, OF_THE_APP } from '../things/attach-dialogs.tsx';
import { attachable, firstVariable } from './attach-draft.ts';
import { useDatabase } from './use-database.ts';

export function Attachments() {
  const { database, not } = useDatabase();
  const [open, setOpen] = useState<'attach' | DatabaseAttachment | null>(null);
  const candidates = attachable(useAnswer('listApps'), database);
  const none = candidates.length === 0 ? `There is no other app in ${database.environment}.` : null;
  const onClose = () => setOpen(null);
  return (
    <Card
      title="Attached apps"
      description="These apps get the address and the password of the database as variables."
      actions={
        <Button disabledBecause={not.attach ?? none} onClick={() => setOpen('attach')}>
          Attach app…
        </Button>
      }
    >
      {database.attachments.length === 0 ? (
        <p className="text-sm text-soft">No attached apps. Attach an app to give it access to the database.</p>
      ) : (
        <ul aria-label="Attached apps" className="divide-y divide-line text-sm">
          {database.attachments.map((attachment) => (
            <li key={attachment.app} className="flex flex-wrap items-center justify-between gap-2 py-1.5 first:pt-0">
              <span className="min-w-0">
                <Link
                  to={paths.app(appPath(attachment.app))}
                  className="font-medium break-all text-accent underline-offset-2 hover:underline"
                >
                  {attachment.app}
                </Link>
                <code className="ml-2 font-mono text-xs text-soft">
                  {firstVariable(database.engine, attachment.prefix)} …
                </code>
              </span>
              <Button kind="quiet" disabledBecause={not.attach} onClick={() => setOpen(attachment)}>
                Detach…<span className="sr-only"> {attachment.app}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NotAttached />
      {open === 'attach' && <Attach candidates={candidates} onClose={onClose} />}
      {open !== null && open !== 'attach' && <Detach app={open.app} onClose={onClose} />}
    </Card>
  );
}

/** Names the apps that refer to the database without an attachment, as apps from Compose files do. */
function NotAttached() {
  const { attachments, used_by } = useDatabase().database;
  const apps = used_by.filter((app) => !attachments.some((attachment) => attachment.app === app));
  if (apps.length === 0) return null;
  return (
    <p className="mt-2 text-sm text-soft">
      These apps are not attached, but their settings or live releases contain the host name of the database:{' '}
      {apps.join(', ')}.
    </p>
  );
}

const CHANGES = ['getDatabase', 'listDatabases', ...OF_THE_APP] as const;

function Attach({ candidates, onClose }: { candidates: readonly App[]; onClose: () => void }) {
  const { database, params } = useDatabase();
  const attach = useCall('attachDatabase', { changes: CHANGES });
  return (
    <AttachDialog
      to={database.name}
      description="The app gets the address and the credentials of the database as variables. Variables of the app with the same name take precedence."
      candidates={candidates}
      placeholder="CACHE_"
      firstVariable={(prefix) => firstVariable(database.engine, prefix)}
      call={attach}
      send={({ name }, request, sent) => attach.mutate({ params: { ...params, app: name }, ...request }, sent)}
      onClose={onClose}
    />
  );
}

function Detach({ app, onClose }: { app: string; onClose: () => void }) {
  const { database, params } = useDatabase();
  const detach = useCall('detachDatabase', { changes: CHANGES });
  return (
    <DetachDialog
      app={app}
      of={database.name}
      stays="The database and its data are kept."
      call={detach}
      send={(request, sent) => detach.mutate({ params: { ...params, app: appPath(app).app }, ...request }, sent)}
      onClose={onClose}
    />
  );
}
