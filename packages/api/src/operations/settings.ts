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
      'New domain of the instance, as a confirmation. Required if an app has used this domain or uses a parent domain of it. Such an app could act with the permissions of users who sign in.',
    ),
});

export const getSettings = operation({
  id: 'getSettings',
  method: 'GET',
  path,
  tag,
  summary: 'Get the settings of the instance',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'Settings, including fields with default values.', schema: InstanceSettings } },
});

export const patchSettings = operation({
  id: 'patchSettings',
  method: 'PATCH',
  path,
  tag,
  summary: 'Update settings of the instance',
  description:
    'The body is a JSON merge patch: absent fields keep their values, and `null` resets a field to its default. The change takes effect immediately. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: SettingsQuery,
  body: SettingsPatch,
  errors: ['conflict'],
  responses: { 200: { description: 'Settings after the change.', schema: InstanceSettings } },
});

export const putSettings = operation({
  id: 'putSettings',
  method: 'PUT',
  path,
  tag,
  summary: 'Replace the settings of the instance',
  description:
    'Fields that are absent from the body get their defaults. The change takes effect immediately. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: SettingsQuery,
  body: InstanceSettings,
  errors: ['conflict'],
  responses: { 200: { description: 'Settings after the change.', schema: InstanceSettings } },
});
