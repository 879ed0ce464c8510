/** Settings of the addresses and the requests of the instance. */
import type { SettingSection } from './section.ts';

export const ADDRESSES: SettingSection = {
  value: 'addresses',
  label: 'Addresses',
  title: 'Domain and addresses',
  description: 'Under which names this instance and its apps are found. A change acts at once, without a restart.',
  fields: [
    {
      path: 'domain',
      label: 'Domain',
      hint: 'The instance’s own host; apps get hosts below it. Make records of it and of “*.” below it that lead to this machine.',
      kind: 'text',
      usual: '',
      placeholder: 'davit.example.com',
      effect: 'Every app gets another host below the new domain at once, and this page moves with it.',
    },
    {
      path: 'public_address',
      label: 'Public address',
      hint: 'Under which address the world reaches this machine, where it has none such of its own. Without a domain, one is made of it.',
      kind: 'text',
      usual: '',
      placeholder: '198.51.100.7',
    },
  ],
};

export const ACME: SettingSection = {
  value: 'certificates',
  label: 'Certificates',
  title: 'Where certificates are ordered',
  description: 'From an authority that speaks ACME. What waited after a failure is tried again at once.',
  fields: [
    {
      path: 'acme.email',
      label: 'Contact',
      hint: 'Where the authority writes. Setting it agrees to the terms of the authority; empty: no certificate is ordered.',
      kind: 'text',
      usual: '',
      placeholder: 'ada@example.com',
      effect: 'With a contact, certificates are ordered for every host that wants one; without, none is, nor renewed.',
    },
    {
      path: 'acme.directory',
      label: 'Directory',
      hint: 'The ACME directory of the authority.',
      kind: 'text',
      usual: 'https://acme-v02.api.letsencrypt.org/directory',
      effect: 'New certificates come from the other authority; those there are stay until they are renewed.',
    },
    {
      path: 'acme.resolver',
      label: 'DNS server',
      hint: 'Which one is asked how the world sees a name; empty: the machine’s.',
      kind: 'text',
      usual: '',
      placeholder: '192.0.2.1:53',
    },
    {
      path: 'acme.trusted_ca',
      label: 'Trusted certificates',
      hint: 'PEM: who to trust when a private authority is spoken to, besides those that everybody trusts.',
      kind: 'pem',
      usual: '',
    },
  ],
};

export const API: SettingSection = {
  value: 'api',
  label: 'API',
  title: 'Bounds of the API',
  description: 'What one caller may take, so that nobody takes it from the others.',
  fields: [
    {
      path: 'api.requests_per_minute',
      label: 'Requests',
      hint: 'Of one caller; what goes beyond is answered 429.',
      kind: 'number',
      unit: 'a minute',
      usual: '600000',
    },
    {
      path: 'api.streams_per_user',
      label: 'Open streams',
      hint: 'Event streams of one user: a browser holds one.',
      kind: 'number',
      usual: '200',
    },
  ],
};
