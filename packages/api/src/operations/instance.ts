import { operation } from '../operation.ts';
import { Instance, PlatformCheck } from '../schemas/instance.ts';

export const getInstance = operation({
  id: 'getInstance',
  method: 'GET',
  path: '/instance',
  tag: 'Instance',
  summary: 'Read what this instance is',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'The instance.', schema: Instance } },
  tool: {},
});

export const checkPlatformImages = operation({
  id: 'checkPlatformImages',
  method: 'POST',
  path: '/instance/platform-images/check',
  tag: 'Instance',
  summary: 'Check for security updates of the platform images',
  description:
    'Davit also checks every day, unless the setting `platform_images.check` is off. A newer package is installed at once: the proxy hands its connections over, the registry and the resolver restart within a second, databases restart in the maintenance window. `GET /instance` shows the progress.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  responses: { 202: { description: 'The check is in progress.', schema: PlatformCheck } },
});
