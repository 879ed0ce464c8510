import type { DatabaseAttachment } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAnswer } from '../../api.ts';
import { appPath, paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { AttachDialog, DetachDialog } from './attach-dialogs.tsx';
import { attachable, firstVariable } from './attach-draft.ts';
import { useDatabase } from './use-database.ts';

/** The apps that have its variables. */
export function Attachments() {
  const { database, not } = useDatabase();
  const [open, setOpen] = useState<'attach' | DatabaseAttachment | null>(null);
  const candidates = attachable(useAnswer('listApps'), database);
  const none = candidates.length === 0 ? `No other app of ${database.environment} could have it.` : null;
  const onClose = () => setOpen(null);
  return (
    <Card
      title="Attached apps"
      description="They get its address and its password as variables."
      actions={
        <Button disabledBecause={not.attach ?? none} onClick={() => setOpen('attach')}>
          Attach an app…
        </Button>
      }
    >
      {database.attachments.length === 0 ? (
        <p className="text-sm text-soft">No app is attached yet.</p>
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
      {open === 'attach' && <AttachDialog candidates={candidates} onClose={onClose} />}
      {open !== null && open !== 'attach' && <DetachDialog attachment={open} onClose={onClose} />}
    </Card>
  );
}
