/**
 * Form fields for instance settings about the network. The settings are for reverse proxies in front of the instance,
 * and for private addresses that apps may reach.
 */
import type { SettingSection } from './section.ts';

export const NETWORK: SettingSection = {
  value: 'network',
  label: 'Network',
  title: 'Network',
  description:
    'Trusted proxies, private registries, and services on the server that containers can reach. Enter one item per line.',
  fields: [
    {
      path: 'trusted_proxies.forwarded_for',
      label: 'Trusted proxies: X-Forwarded-For',
      hint: 'Addresses or networks of load balancers and tunnels. In requests from these addresses, Davit reads the client address from the X-Forwarded-For header.',
      kind: 'list',
      usual: '',
      placeholder: '10.0.0.0/8',
      effect:
        'Every client in these networks can spoof its IP address with the X-Forwarded-For header. List only proxies that you control.',
    },
    {
      path: 'trusted_proxies.proxy_protocol',
      label: 'Trusted proxies: PROXY protocol',
      hint: 'Addresses or networks of proxies that use the PROXY protocol, version 1 or 2.',
      kind: 'list',
      usual: '',
      placeholder: '10.0.0.5',
      effect: 'If a connection from these addresses does not use the PROXY protocol, Davit closes it.',
    },
    {
      path: 'host_access',
      label: 'Services on the server',
      hint: 'Services on this server that containers can reach, as address and port, such as 10.0.0.5:5432 or [2001:db8::1]:53/udp. DNS, the proxy and published ports are always reachable.',
      kind: 'services',
      usual: '',
      placeholder: '10.0.0.5:5432',
      effect: 'After you save, containers of all projects can connect to the listed services.',
    },
    {
      path: 'registries.private_hosts',
      label: 'Private registries',
      hint: 'Private registries for image pulls, and the hosts that they use for authentication and downloads. Examples: registry.internal:5000, http://registry.internal (no TLS), 10.1.0.0/16 (network).',
      kind: 'list',
      usual: '',
      placeholder: 'registry.internal:5000',
      effect:
        'After you save, every user who can deploy images can make this server send requests to the listed hosts.',
    },
  ],
};
