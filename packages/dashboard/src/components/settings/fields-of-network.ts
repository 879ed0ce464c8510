/**
 * Form fields for instance settings about the network: reverse proxies in front of the instance, and private addresses
 * that apps may reach.
 */
import type { SettingSection } from './section.ts';

export const NETWORK: SettingSection = {
  value: 'network',
  label: 'Network',
  title: 'Network',
  description:
    'Trusted proxies in front of this instance, and private addresses that this instance allows. Write one entry per line.',
  fields: [
    {
      path: 'trusted_proxies.forwarded_for',
      label: 'Trusted proxies: X-Forwarded-For',
      hint: 'Addresses or networks of load balancers and tunnels. In requests from these addresses, Davit reads the client address from the X-Forwarded-For header.',
      kind: 'list',
      usual: '',
      placeholder: '10.0.0.0/8',
      effect:
        'Every client that connects from these networks can claim any address. List only proxies that you control.',
    },
    {
      path: 'trusted_proxies.proxy_protocol',
      label: 'Trusted proxies: PROXY protocol',
      hint: 'Addresses or networks whose connections begin with the PROXY protocol, version 1 or 2.',
      kind: 'list',
      usual: '',
      placeholder: '10.0.0.5',
      effect: 'Connections from these networks without the PROXY protocol are closed.',
    },
    {
      path: 'host_access',
      label: 'Services of the server',
      hint: 'Services on this server that containers can reach, as address and port, such as 10.0.0.5:5432 or [2001:db8::1]:53/udp. DNS, the proxy and published ports are always reachable.',
      kind: 'services',
      usual: '',
      placeholder: '10.0.0.5:5432',
      effect: 'Containers of all projects can reach the listed services immediately.',
    },
    {
      path: 'registries.private_hosts',
      label: 'Private registries',
      hint: 'Registries in a private network, with their token servers and download servers. Enter a host with its port, a host with http:// in front, or a network.',
      kind: 'list',
      usual: '',
      placeholder: 'registry.internal:5000',
      effect: 'Every user who can deploy an image can make this server send requests to the listed hosts.',
    },
  ],
};
