import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../api.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { recordFor } from './words.ts';

/**
 * Explains how to get a TLS certificate for a host name. A wildcard name needs an entry for the DNS provider. Any other
 * name needs a DNS record that points to the instance.
 */
export function Advice({ host }: { host: string }) {
  const { domain } = useAnswer('getInstance');
  const { public_address: address } = useAnswer('getSettings');
  if (host.startsWith('*.')) {
    return (
      <p className="text-sm">
        A certificate for a name with a “*” requires a DNS provider:{' '}
        <Link to="." search={{ tab: 'dns' } as never} className="text-accent underline underline-offset-2">
          add the provider
        </Link>{' '}
        of the domain, or check the credentials of the provider.
      </p>
    );
  }
  const record = recordFor(host, { domain, address });
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <p>
        The domain must point to this server, and port 80 must be reachable from the internet.
        {record
          ? ' Create this record at the DNS provider of the domain:'
          : ' Create an A record with the IP address of this server.'}
      </p>
      {record && <Record {...record} />}
    </div>
  );
}

function Record({ name, type, value }: { name: string; type: string; value: string }) {
  return (
    <dl className="grid grid-cols-[auto_auto_1fr] gap-x-6 gap-y-1 rounded-md bg-sunken p-2.5 max-sm:grid-cols-1">
      <div>
        <dt className="text-xs text-soft">Type</dt>
        <dd className="font-mono text-[0.8125rem]">{type}</dd>
      </div>
      <div className="min-w-0">
        <dt className="text-xs text-soft">Name</dt>
        <dd className="flex items-center gap-1 font-mono text-[0.8125rem] break-all">
          {name} <CopyButton text={name} label="Copy name" />
        </dd>
      </div>
      <div className="min-w-0">
        <dt className="text-xs text-soft">Value</dt>
        <dd className="flex items-center gap-1 font-mono text-[0.8125rem] break-all">
          {value} <CopyButton text={value} label="Copy value" />
        </dd>
      </div>
    </dl>
  );
}
