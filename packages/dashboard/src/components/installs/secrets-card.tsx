import type { TemplateInstall } from '@davit/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';

/**
 * Shows the secrets of an installed template after a click. Only users with the permission `secrets` can see the
 * secrets.
 */
export function SecretsCard({ install: { id, secrets } }: { install: TemplateInstall }) {
  const [isShown, show] = useState(false);
  const forbidden = useForbidden('secrets');
  if (secrets.length === 0) return null;
  return (
    <Card
      title="Secrets"
      actions={
        <Button disabledBecause={forbidden} onClick={() => show(!isShown)}>
          {isShown ? 'Hide secrets' : 'Show secrets'}
        </Button>
      }
    >
      {isShown ? <Shown install={id} /> : <p className="text-sm text-soft">Stored encrypted: {secrets.join(', ')}.</p>}
    </Card>
  );
}

function Shown({ install }: { install: number }) {
  const options = query('getTemplateInstallSecrets', { params: { install: String(install) } });
  // Remove the secrets from the query cache as soon as the page does not show them any more.
  const { data, error } = useQuery({ ...options, gcTime: 0 });
  if (error !== null) return <Problem error={error} />;
  if (data === undefined) return <Spinner label="Loading the secrets" />;
  return (
    <ul aria-label="Secrets" className="flex flex-col gap-2 text-sm">
      {Object.entries(data.secrets).map(([key, secret]) => (
        <li key={key}>
          <p className="text-soft">{key}</p>
          <p className="flex items-center justify-between gap-2 rounded-md bg-sunken px-2.5 py-1.5">
            <code className="min-w-0 font-mono text-xs break-all">{secret}</code>
            <CopyButton text={secret} label={`Copy ${key}`} secret />
          </p>
        </li>
      ))}
    </ul>
  );
}
