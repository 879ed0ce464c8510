import type { App } from '@davit/api';
import { ExternalLink } from 'lucide-react';
import { useAnswer } from '../../api.ts';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { useAppPath } from '../../util/params.ts';
import { type Address, addressesOf } from './addresses.ts';

const TONES: Record<Address['tone'], string> = {
  good: 'text-good',
  warning: 'text-warning',
  error: 'text-error',
  soft: 'text-soft',
};

export function Addresses({ app }: { app: App }) {
  const params = useAppPath();
  const domains = useAnswer('listDomains', { params });
  const certificates = useAnswer('listCertificates');
  const instance = useAnswer('getInstance');
  return (
    <Card title="Addresses">
      <ul className="flex flex-col gap-2.5 text-sm">
        {addressesOf(app, domains, certificates, instance).map((address) => (
          <One key={address.text} address={address} />
        ))}
      </ul>
    </Card>
  );
}

function One({ address: { text, opens, kind, note, tone } }: { address: Address }) {
  return (
    <li className="min-w-0">
      <div className="flex min-w-0 items-center gap-1">
        {opens ? (
          <a
            href={text}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-w-0 items-center gap-1.5 text-accent hover:underline"
          >
            <span className="truncate">{text.replace(/\/$/, '')}</span>
            <ExternalLink className="size-3.5 shrink-0" aria-label="opens in a new tab" />
          </a>
        ) : (
          <code className="truncate font-mono text-[0.8125rem]">{text}</code>
        )}
        <CopyButton text={text} />
        <span className="ml-auto shrink-0 text-xs text-soft">{kind}</span>
      </div>
      {note && <p className={`text-xs ${TONES[tone]}`}>{note}</p>}
    </li>
  );
}
