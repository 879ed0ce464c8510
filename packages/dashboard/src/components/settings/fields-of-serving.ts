/** Settings of the addresses and the requests of the instance. */
import type { SettingSection } from './section.ts';

export const ADDRESSES: SettingSection = {
  value: 'addresses',
  label: 'Addresses',
  title: 'Domain and addresses',
  description: 'Domain and public address of this instance. Changes apply immediately, without a restart.',
  fields: [
    {
      path: 'domain',
      label: 'Domain',
      hint: 'Host name of this instance. Apps get hosts below it. Create A records for the domain and for *.domain that point to this server.',
      kind: 'text',
      usual: '',
      placeholder: 'davit.example.com',
      effect: 'All apps immediately get new default domains, and this page moves to the new domain.',
    },
    {
      path: 'public_address',
      label: 'Public address',
      hint: 'Public IP address of the server. Set it if the server is behind NAT. Davit derives a default domain from it.',
      kind: 'text',
      usual: '',
      placeholder: '198.51.100.7',
    },
  ],
};

export const ACME: SettingSection = {
  value: 'certificates',
  label: 'Certificates',
  title: 'Certificate authority',
  description: 'The ACME certificate authority for orders. After a change, Davit immediately retries failed orders.',
  fields: [
    {
      path: 'acme.email',
      label: 'Contact',
      hint: 'E-mail address for messages of the authority. Setting it accepts the terms of the authority. Leave blank to order no certificates.',
      kind: 'text',
      usual: '',
      placeholder: 'ada@example.com',
      effect:
        'With a contact, Davit orders certificates for all domains. Without a contact, Davit neither orders nor renews certificates.',
    },
    {
      path: 'acme.directory',
      label: 'Directory',
      hint: 'URL of the ACME directory of the authority.',
      kind: 'text',
      usual: 'https://acme-v02.api.letsencrypt.org/directory',
      effect:
        'Davit orders new certificates from the new authority. Existing certificates stay in use until they are renewed.',
    },
    {
      path: 'acme.resolver',
      label: 'DNS server',
      hint: 'DNS server for lookups of public names. Leave blank to use the DNS server of this server.',
      kind: 'text',
      usual: '',
      placeholder: '192.0.2.1:53',
    },
    {
      path: 'acme.trusted_ca',
      label: 'Trusted certificates',
      hint: 'Root certificates in PEM format that Davit trusts for a private authority, in addition to the public ones.',
      kind: 'pem',
      usual: '',
    },
  ],
};

export const API: SettingSection = {
  value: 'api',
  label: 'API',
  title: 'API limits',
  description: 'Limits of each client of the API.',
  fields: [
    {
      path: 'api.requests_per_minute',
      label: 'Requests',
      hint: 'Maximum number of requests of one client. Further requests get status 429.',
      kind: 'number',
      unit: 'per minute',
      usual: '600000',
    },
    {
      path: 'api.streams_per_user',
      label: 'Open streams',
      hint: 'Maximum number of event streams of one user. Each browser uses one.',
      kind: 'number',
      usual: '200',
    },
  ],
};
