/** Settings of proxies in front of the instance, and of services in the private network that apps may reach. */
import type { SettingSection } from './section.ts';

export const NETWORK: SettingSection = {
  value: 'network',
  label: 'Network',
  title: 'Network',
  description:
    'Proxies in front of this instance, and addresses that containers and image downloads can reach. One entry per line.',
  fields: [
    {
      path: 'trusted_proxies.forwarded_for',
      label: 'Trusted proxies: X-Forwarded-For',
      hint: 'Addresses or networks of load balancers and tunnels. Davit reads the client address for rules, rate limits and the audit log from their X-Forwarded-For header.',
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
      hint: 'Address and port of services that containers can reach on this server, such as 10.0.0.5:5432 or [2001:db8::1]:53/udp. DNS, the proxy and published ports are always reachable.',
      kind: 'services',
      usual: '',
      placeholder: '10.0.0.5:5432',
      effect: 'Containers of all projects can reach the listed services immediately.',
    },
    {
      path: 'registries.private_hosts',
      label: 'Private registries',
      hint: 'Registries, token services and download hosts that can have a private address: a host with its port, a host with http:// in front, or a network.',
      kind: 'list',
      usual: '',
      placeholder: 'registry.internal:5000',
      effect: 'Every user who can deploy an image can make this server send requests to the listed hosts.',
    },
  ],
};
