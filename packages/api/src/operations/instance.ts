import { operation } from '../operation.ts';
import { Instance, PlatformCheck } from '../schemas/instance.ts';

export const getInstance = operation({
  id: 'getInstance',
  method: 'GET',
  path: '/instance',
  tag: 'Instance',
  summary: 'Get the state of the instance',
  description: 'Returns the version, domain, limits, disk use and warnings of the instance, and the state of Docker.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'The state and the limits of the instance.', schema: Instance } },
  tool: {},
});

export const checkPlatformImages = operation({
  id: 'checkPlatformImages',
  method: 'POST',
  path: '/instance/platform-images/check',
  tag: 'Instance',
  summary: 'Check for security updates of the proxy, registry, DNS and database images',
  description:
    'Davit checks the platform images for newer packages. Platform images are the images of the proxy, registry, DNS resolver and databases. Davit also checks them every day, unless the setting `platform_images.check` is off. Davit installs newer packages immediately. The proxy loses no connections; the registry and the DNS resolver restart within a second. Databases restart in the maintenance window. `GET /instance` shows the progress. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  responses: { 202: { description: 'The check is in progress.', schema: PlatformCheck } },
});
