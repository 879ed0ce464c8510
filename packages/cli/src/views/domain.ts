import { count, type Domain } from '@davit/api';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { minute } from '../output/words.ts';

/** Returns the host of a domain, followed by the path if the domain has one. */
export function domainName({ host, path }: { host: string; path: string | null }): string {
  return `${host}${path ?? ''}`;
}

export const domainList: ListView<Domain> = {
  columns: [
    { header: 'domain', value: domainName, style: () => 'bold' },
    { header: 'port', value: ({ port }) => port ?? 'default', align: 'right' },
    { header: 'https', value: ({ https }) => https },
    {
      header: 'certificate',
      value: ({ certificate }) => certificate.status,
      style: ({ certificate }) => (certificate.status === 'failed' ? 'red' : undefined),
    },
    { header: 'rules', value: (domain) => rulesOf(domain).join(', ') },
  ],
  id: domainName,
  empty: 'No domains found. The app has only its default host. Add a domain: davit domain add <app> <host>',
};

export function domainFields(domain: Domain): Field[] {
  const { certificate } = domain;
  return [
    ['domain', domainName(domain), 'bold'],
    ['port', domain.port ?? 'default port of the app'],
    ['protocol', domain.protocol],
    ['https', domain.https],
    ['rules', rulesOf(domain)],
    ['headers', Object.entries(domain.headers).map(([name, value]) => `${name}: ${value}`)],
    [
      'certificate',
      certificate.not_after === null
        ? certificate.status
        : `${certificate.status}, expires ${minute(certificate.not_after)}`,
    ],
    ['problem', certificate.problem ?? undefined, 'red'],
    ['next try', minute(certificate.next_try_at) ?? undefined],
    ['created', minute(domain.created_at)],
  ];
}

function rulesOf({ redirect_to, basic_auth, allow, rate_limit, maintenance, hsts }: Domain): string[] {
  return [
    ...(redirect_to === null ? [] : [`redirect to ${redirect_to}`]),
    ...(maintenance === null ? [] : ['maintenance']),
    ...(basic_auth === null ? [] : [`basic auth for ${basic_auth.users.join(', ')}`]),
    ...(allow.length === 0 ? [] : [`only ${allow.join(', ')}`]),
    ...(rate_limit === null ? [] : [`${count(rate_limit.requests_per_minute, 'request')}/min`]),
    ...(hsts === null ? [] : ['HSTS']),
  ];
}
