import { operation } from '../operation.ts';
import { Instance, PlatformCheck } from '../schemas/instance.ts';

export const getInstance = operation({
  id: 'getInstance',
  method: 'GET',
  path: '/instance',
  tag: 'Instance',
  summary: 'Read what this instance is',
  description:
    'Returns the version, domain, limits, disk use and warnings of the instance, and the state of its container engine.',
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
  summary: 'Check for security updates of the platform images',
  description:
    'Davit also checks every day, unless the setting `platform_images.check` is off. Davit installs newer packages immediately. The proxy hands over its connections; the registry and the resolver restart within a second. Databases restart in the maintenance window. `GET /instance` shows the progress. Requires rights for all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  responses: { 202: { description: 'The check is in progress.', schema: PlatformCheck } },
});
