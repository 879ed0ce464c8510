import type { Certificate } from '@davit/api';
import type { ListView } from '../output/printer.ts';
import type { Field } from '../output/record.ts';
import { day, minute } from '../output/words.ts';

export const certificateList: ListView<Certificate> = {
  columns: [
    { header: 'ID', value: ({ id }) => id, align: 'right', style: () => 'bold' },
    { header: 'hosts', value: ({ hosts }) => hosts.join(', ') },
    { header: 'kind', value: ({ kind }) => kind },
    { header: 'status', value: ({ status }) => status, style: ({ status }) => (status === 'active' ? 'green' : 'red') },
    { header: 'expires', value: ({ not_after }) => day(not_after) },
    { header: 'problem', value: ({ problem }) => problem ?? '' },
  ],
  id: ({ id }) => id,
  empty: 'No certificates found.',
};

/** Reasons why an instance has no certificates. */
export const NO_CERTIFICATES = {
  email:
    'Davit requests certificates only with an e-mail address. Set it: davit settings set acme.email=you@example.com',
  domain: 'No app has a domain. Add a domain: davit domain add <app> <host>',
} as const;

export function certificateFields(certificate: Certificate): Field[] {
  return [
    ['certificate', certificate.id, 'bold'],
    ['hosts', certificate.hosts],
    ['kind', certificate.kind],
    ['status', certificate.status, certificate.status === 'active' ? 'green' : 'red'],
    ['problem', certificate.problem ?? undefined, 'red'],
    ['issuer', certificate.issuer],
    ['valid', `${minute(certificate.not_before)} to ${minute(certificate.not_after)}`],
    ['renews', minute(certificate.renews_at)],
    ['used by', certificate.used_by],
    ['fingerprint', certificate.fingerprint],
  ];
}
