import { operation } from '../operation.ts';
import { InstanceSettings, SettingsPatch } from '../schemas/settings.ts';

const tag = 'Settings';
const path = '/settings';

export const getSettings = operation({
  id: 'getSettings',
  method: 'GET',
  path,
  tag,
  summary: 'Read the settings of the instance',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'The settings, defaults filled in.', schema: InstanceSettings } },
});

export const patchSettings = operation({
  id: 'patchSettings',
  method: 'PATCH',
  path,
  tag,
  summary: 'Change some settings of the instance',
  description: 'A JSON merge patch: what is absent stays, null goes back to the default. Acts at once.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: SettingsPatch,
  errors: ['conflict'],
  responses: { 200: { description: 'The settings.', schema: InstanceSettings } },
});

export const putSettings = operation({
  id: 'putSettings',
  method: 'PUT',
  path,
  tag,
  summary: 'Replace the settings of the instance',
  description: 'What is left out means its default. Acts at once.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  body: InstanceSettings,
  errors: ['conflict'],
  responses: { 200: { description: 'The settings.', schema: InstanceSettings } },
});
