import { count, type Domain, helpPath, hostUrl, type WebHost } from '@davit/api';
import { Link } from '@tanstack/react-router';
import { ExternalLink, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAnswer, useCall } from '../../api.ts';
import { useForbidden } from '../../layout/me.ts';
import { paths } from '../../paths.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Time } from '../../ui/time.tsx';
import { useAppPath, useSearchText } from '../../util/params.ts';
import { type DnsRecord, dnsRecordFor } from './dns-hint.ts';
import { DomainDialogs } from './domain-dialogs.tsx';

export function DomainsSection() {
  const params = useAppPath();
  const { suggested_host, port } = useAnswer('getApp', { params });
  const domains = useAnswer('listDomains', { params });
  const forbidden = useForbidden('operate');
  const [, setNew] = useSearchText('new');
  const worker =
    port === null
      ? 'The app has no port, so it cannot receive requests. To add a domain, set a port in the section “Source” first.'
      : null;
  return (
    <Card
      title="Domains & certificates"
      description="Domains of this app. Changes apply immediately, without a deployment."
      actions={
        <Button disabledBecause={forbidden ?? worker} onClick={() => setNew('1')}>
          Add domain
        </Button>
      }
    >
      <ul aria-label="Domains" className="divide-y divide-line">
        <li className="flex flex-wrap items-center justify-between gap-2 pb-3">
          <Host of={{ host: suggested_host }} />
          <span className="text-xs text-soft">Default domain (cannot be removed)</span>
        </li>
        {domains.map((domain) => (
          <DomainItem key={domain.id} domain={domain} />
        ))}
      </ul>
      <DomainDialogs domains={domains} />
    </Card>
  );
}

function Host({ of }: { of: WebHost }) {
  const { host, path } = of;
  const { ports } = useAnswer('getInstance');
  const certificates = useAnswer('listCertificates');
  const name = `${host}${path ?? ''}`;
  return (
    <span className="flex min-w-0 items-center gap-1">
      <a
        href={hostUrl(of, { ports, certificates })}
        target="_blank"
        rel="noreferrer"
        className="min-w-0 text-sm font-medium break-all text-accent underline-offset-2 hover:underline"
      >
        {name} <ExternalLink className="inline size-3.5 align-[-2px]" aria-label="opens in a new tab" />
      </a>
      <CopyButton text={name} />
    </span>
  );
}

function DomainItem({ domain }: { domain: Domain }) {
  const { host, id } = domain;
  const forbidden = useForbidden('operate');
  const [, setEdited] = useSearchText('domain');
  const { domain: own } = useAnswer('getInstance');
  const { public_address } = useAnswer('getSettings');
  const record = dnsRecordFor(host, { domain: own, address: public_address });
  const rules = rulesOf(domain);
  return (
    <li className="flex flex-col gap-1.5 py-3">
      <div className="flex items-center justify-between gap-2">
        <Host of={domain} />
        <span className="flex">
          <IconButton label={`Edit ${host}`} disabledBecause={forbidden} onClick={() => setEdited(String(id))}>
            <Pencil className="size-4" aria-hidden />
          </IconButton>
          <RemoveDomain domain={domain} />
        </span>
      </div>
      <Certificate certificate={domain.certificate} />
      {rules.length > 0 && (
        <ul aria-label={`Rules of ${host}`} className="flex flex-wrap gap-1.5">
          {rules.map((rule) => (
            <li key={rule} className="rounded bg-sunken px-1.5 py-0.5 text-xs">
              {rule}
            </li>
          ))}
        </ul>
      )}
      {record === 'unknown' && <NoDomain />}
      {record !== 'unknown' && record && <DnsHint record={record} />}
    </li>
  );
}

/** Explains what to do if the instance has no address to which a DNS record can point. */
function NoDomain() {
  return (
    <p className="text-xs text-soft">
      This instance has no public domain or IP address for a DNS record.{' '}
      <Link to={paths.settings()} className="text-accent underline underline-offset-2">
        Set one in the settings
      </Link>
      , or create a record that points to this server yourself. Until then, use the default domain of the app.
    </p>
  );
}

function DnsHint({ record: { name, type, value } }: { record: DnsRecord }) {
  return (
    <details className="text-xs text-soft">
      <summary className="min-h-6 w-fit cursor-pointer leading-6">DNS record</summary>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 rounded-md bg-sunken px-2 py-1 font-mono text-text">
        <span className="break-all">{name}</span>
        <span>{type}</span>
        <span className="break-all">{value}</span>
        <CopyButton text={value} label="Copy value of the record" />
      </p>
    </details>
  );
}

const STATES: Record<Domain['certificate']['status'], [words: string, tone: string]> = {
  none: ['No certificate', 'text-soft'],
  waiting: ['Certificate is not requested yet', 'text-accent'],
  ordering: ['Certificate is being requested', 'text-accent'],
  active: ['Certificate is active', 'text-good'],
  failed: ['Certificate request failed', 'text-error'],
};

function Certificate({
  certificate: { status, problem, problem_code, not_after, next_try_at },
}: Pick<Domain, 'certificate'>): ReactNode {
  const [words, tone] = STATES[status];
  return (
    <div className="flex flex-col gap-0.5 text-xs">
      <p className={`flex flex-wrap items-center gap-1.5 ${tone}`}>
        <span aria-hidden className="size-2 rounded-full bg-current" />
        {words}
        {not_after && (
          <span className="text-soft">
            expires <Time at={not_after} />
          </span>
        )}
        {next_try_at && (
          <span className="text-soft">
            next attempt <Time at={next_try_at} />
          </span>
        )}
      </p>
      {problem && (
        <p className={status === 'failed' ? 'text-error' : 'text-soft'}>
          {problem}
          <HelpLink to={helpPath(problem_code)} />
        </p>
      )}
    </div>
  );
}

/** Describes each setting of a domain in a few words, such as `HTTPS only`. */
function rulesOf(domain: Domain): string[] {
  const { port, protocol, https, hsts, redirect_to, basic_auth, allow, rate_limit, maintenance, headers } = domain;
  const many = Object.keys(headers).length;
  return [
    port !== null && `port ${port}`,
    protocol === 'h2c' && 'HTTP/2 without TLS (h2c)',
    https === 'only' && 'HTTPS only',
    https === 'both' && 'HTTP and HTTPS',
    redirect_to !== null && `redirects to ${redirect_to}`,
    basic_auth !== null && `password for ${basic_auth.users.join(', ')}`,
    allow.length > 0 && `only from ${allow.join(', ')}`,
    rate_limit !== null && `${count(rate_limit.requests_per_minute, 'request')} per minute and IP address`,
    maintenance !== null && 'maintenance mode: status 503',
    hsts !== null && 'HSTS',
    many > 0 && count(many, 'header'),
  ].filter((rule) => rule !== false);
}

function RemoveDomain({ domain: { id, host, path } }: { domain: Domain }) {
  const params = useAppPath();
  const forbidden = useForbidden('operate');
  const [open, setOpen] = useState(false);
  const remove = useCall('removeDomain', { changes: ['listDomains', 'getApp'], onDone: () => setOpen(false) });
  const name = `${host}${path ?? ''}`;
  return (
    <>
      <IconButton label={`Remove ${host}`} disabledBecause={forbidden} onClick={() => setOpen(true)}>
        <Trash2 className="size-4" aria-hidden />
      </IconButton>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`Remove ${name} from the app?`}
        action="Remove domain"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { ...params, domain: String(id) } })}
      >
        <p>
          The app stops receiving requests for this domain immediately. The rules of the domain are deleted. The default
          domain of the app stays.
        </p>
      </ConfirmDialog>
    </>
  );
}
