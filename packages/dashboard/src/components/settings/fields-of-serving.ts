/** Form fields for instance settings about addresses, TLS certificates, and API limits. */
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
      hint: 'Host name of this instance. Apps get subdomains of this domain. Create A records for the domain and for *.domain that point to this server.',
      kind: 'text',
      usual: '',
      placeholder: 'davit.example.com',
      effect: 'All apps immediately get new default domains. This dashboard moves to the new domain.',
    },
    {
      path: 'public_address',
      label: 'Public address',
      hint: 'Public IP address of the server. Set the address if the server is behind NAT. Davit derives a default domain from the address.',
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
  description:
    'The ACME certificate authority from which Davit requests certificates. After a change, Davit immediately repeats failed requests.',
  fields: [
    {
      path: 'acme.email',
      label: 'Contact',
      hint: 'E-mail address to which the certificate authority sends messages. If you enter an address, you accept the terms of the certificate authority. Without an address, Davit requests no certificates.',
      kind: 'text',
      usual: '',
      placeholder: 'ada@example.com',
      effect:
        'With an e-mail address, Davit requests certificates for all domains. Without an e-mail address, Davit does not request or renew certificates.',
    },
    {
      path: 'acme.directory',
      label: 'Directory',
      hint: 'URL of the ACME directory of the certificate authority.',
      kind: 'text',
      usual: 'https://acme-v02.api.letsencrypt.org/directory',
      effect:
        'Davit requests new certificates from the new certificate authority. Existing certificates stay in use until they are renewed.',
    },
    {
      path: 'acme.resolver',
      label: 'DNS server',
      hint: 'DNS server for lookups of public names. Leave blank to use the DNS server in the configuration of this server.',
      kind: 'text',
      usual: '',
      placeholder: '192.0.2.1:53',
    },
    {
      path: 'acme.trusted_ca',
      label: 'Trusted certificates',
      hint: 'Root certificates of a private certificate authority, in PEM format. Davit also trusts the public certificate authorities.',
      kind: 'pem',
      usual: '',
    },
  ],
};

export const API: SettingSection = {
  value: 'api',
  label: 'API',
  title: 'API limits',
  description: 'Maximum numbers of requests and of open streams for API clients.',
  fields: [
    {
      path: 'api.requests_per_minute',
      label: 'Requests',
      hint: 'Maximum number of requests per minute from one client. Further requests get status 429.',
      kind: 'number',
      unit: 'per minute',
      usual: '600000',
    },
    {
      path: 'api.streams_per_user',
      label: 'Open streams',
      hint: 'Maximum number of open event streams (connections for live updates) of one user. Each browser uses one stream.',
      kind: 'number',
      usual: '200',
    },
  ],
};
