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
    'Lists of trusted proxies, of services on the server that containers can connect to, and of private registries. Write one entry per line.',
  fields: [
    {
      path: 'trusted_proxies.forwarded_for',
      label: 'Trusted proxies: X-Forwarded-For',
      hint: 'Addresses or networks of load balancers and tunnels. In requests from these addresses, Davit reads the client address from the X-Forwarded-For header.',
      kind: 'list',
      usual: '',
      placeholder: '10.0.0.0/8',
      effect:
        'Every client that connects from these networks can pretend to have any IP address. List only proxies that you control.',
    },
    {
      path: 'trusted_proxies.proxy_protocol',
      label: 'Trusted proxies: PROXY protocol',
      hint: 'Addresses or networks of proxies that use the PROXY protocol, version 1 or 2.',
      kind: 'list',
      usual: '',
      placeholder: '10.0.0.5',
      effect: 'Davit closes each connection from these networks that does not use the PROXY protocol.',
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
      hint: 'Registries in private networks from which this instance can pull images. If a registry uses other hosts for authentication or downloads, add these hosts too. Enter a host with its port, a host with http:// in front, or a network.',
      kind: 'list',
      usual: '',
      placeholder: 'registry.internal:5000',
      effect:
        'After you save, every user who can deploy images can make this server send requests to the listed hosts.',
    },
  ],
};
