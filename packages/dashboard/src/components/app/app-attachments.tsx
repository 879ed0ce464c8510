import type { App, AppAttachment } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { databasePath, paths } from '../../paths.ts';
import { Card } from '../../ui/card.tsx';

export function AppAttachments({ app: { attachments } }: { app: App }) {
  if (attachments.length === 0) return null;
  return (
    <Card
      title="Attachments"
      description="The app can connect to these databases and buckets. Davit sets the connection variables of the app. Variables that you set for the app take precedence."
    >
      <ul aria-label="Attachments" className="divide-y divide-line text-sm">
        {attachments.map((one) => (
          <li key={`${one.kind} ${one.name} ${one.bucket}`} className="py-1.5 first:pt-0 last:pb-0">
            <span className="text-soft">{one.kind}</span>{' '}
            <Link to={pageOf(one)} className="font-medium break-all text-accent underline-offset-2 hover:underline">
              {one.bucket === null ? one.name : `${one.name}: ${one.bucket}`}
            </Link>
            <p className="font-mono text-xs break-words text-soft">{one.variables.join(', ')}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function pageOf({ kind, name }: AppAttachment): string {
  return kind === 'database' ? paths.database(databasePath(name)) : paths.objectStore({ object_store: name });
}
