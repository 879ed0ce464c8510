import { z } from 'zod';
import { operation } from '../operation.ts';
import { InstanceSettings, SettingsPatch } from '../schemas/settings.ts';

const tag = 'Settings';
const path = '/settings';

const SettingsQuery = z.strictObject({
  confirm: z
    .string()
    .max(253)
    .optional()
    .describe(
      'The new domain of the instance, repeated as a confirmation. Required if an app had that host: browsers can keep a service worker of the app for it, which would act with the rights of each user who signs in.',
    ),
});

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
  query: SettingsQuery,
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
  query: SettingsQuery,
  body: InstanceSettings,
  errors: ['conflict'],
  responses: { 200: { description: 'The settings.', schema: InstanceSettings } },
});
