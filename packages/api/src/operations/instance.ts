import { operation } from '../operation.ts';
import { Instance } from '../schemas/instance.ts';

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
