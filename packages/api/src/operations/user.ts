import { z } from 'zod';
import { operation } from '../operation.ts';
import { ApiKey, Me, User, UserCreate, UserPatch, UserSession, UserWithPassword } from '../schemas/account.ts';
import { PathName } from '../schemas/common.ts';
import { Connection } from '../schemas/oauth.ts';
import { paging } from './parameters.ts';

const tag = 'Users';
const path = '/users/{user}';
const UserPath = z.object({ user: PathName.describe('User name.') });
const UserKeyPath = UserPath.extend({ key: z.string().describe('ID of the API key.') });
const UserConnectionPath = UserPath.extend({ connection: z.string().describe('ID of the connected client (OAuth).') });
const UserSessionPath = UserPath.extend({ session: z.string().describe('ID of the session.') });

/** Fields that all API operations on users share. Only admins can manage the accounts of other users. */
const shared = { tag, permission: 'administer' } as const;

export const getMe = operation({
  id: 'getMe',
  method: 'GET',
  path: '/users/me',
  tag,
  summary: 'Get the current user',
  description:
    'Returns the user who sent the request. `role` and `projects` are the effective values: an API key or an OAuth client can restrict them.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  responses: {
    200: {
      description: 'The user who sent the request, with their effective role and the projects that they can access.',
      schema: Me,
    },
  },
  tool: {},
});

export const listUsers = operation({
  ...shared,
  id: 'listUsers',
  method: 'GET',
  path: '/users',
  scope: 'instance',
  summary: 'List users',
  description:
    'Returns the users of the instance. If you have access to only some projects, the list does not contain users with access to any other project.',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Users, sorted by name.', schema: z.array(User) } },
});

export const createUser = operation({
  ...shared,
  id: 'createUser',
  method: 'POST',
  path: '/users',
  scope: 'instance',
  summary: 'Create a user',
  description: 'The new user cannot have more permissions than the caller. A restricted API key cannot create users.',
  effect: 'write',
  body: UserCreate,
  responses: {
    201: { description: 'The new user.', schema: UserWithPassword, headers: { Location: 'URL of the user.' } },
  },
  errors: ['conflict'],
  returnsSecrets: true,
});

export const getUser = operation({
  ...shared,
  id: 'getUser',
  method: 'GET',
  path,
  scope: 'user',
  summary: 'Get a user',
  effect: 'read',
  params: UserPath,
  responses: { 200: { description: 'The user.', schema: User } },
});

export const patchUser = operation({
  ...shared,
  id: 'patchUser',
  method: 'PATCH',
  path,
  scope: 'user',
  summary: 'Update a user',
  description:
    'The request changes the role, the projects or the password of the user, or blocks the user. Absent fields keep their values. The change takes effect with the next request of the user. If you block the user or set a new password, Davit ends all sessions of the user and disconnects their OAuth clients. The last admin with access to all projects must stay an admin. To change your own password, use `PUT /users/me/password`.',
  effect: 'write',
  params: UserPath,
  body: UserPatch,
  responses: { 200: { description: 'The user.', schema: UserWithPassword } },
  errors: ['conflict'],
  returnsSecrets: true,
});

export const deleteUser = operation({
  ...shared,
  id: 'deleteUser',
  method: 'DELETE',
  path,
  scope: 'user',
  summary: 'Delete a user',
  description:
    'Davit also ends the sessions of the user, deletes their API keys and disconnects their OAuth clients. You cannot delete the last admin with access to all projects.',
  effect: 'destroy',
  params: UserPath,
  responses: { 204: { description: 'The user was deleted.' } },
  errors: ['conflict'],
});

export const listUserKeys = operation({
  ...shared,
  id: 'listUserKeys',
  method: 'GET',
  path: `${path}/api-keys`,
  scope: 'user',
  summary: 'List the API keys of a user',
  effect: 'read',
  params: UserPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'API keys without their secrets, oldest first.', schema: z.array(ApiKey) } },
});

export const revokeUserKey = operation({
  ...shared,
  id: 'revokeUserKey',
  method: 'DELETE',
  path: `${path}/api-keys/{key}`,
  scope: 'user',
  summary: 'Revoke an API key of a user',
  effect: 'destroy',
  params: UserKeyPath,
  responses: { 204: { description: 'The API key was revoked. Davit refuses further requests with this key.' } },
});

export const listUserSessions = operation({
  ...shared,
  id: 'listUserSessions',
  method: 'GET',
  path: `${path}/sessions`,
  scope: 'user',
  summary: 'List the sessions of a user',
  effect: 'read',
  params: UserPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'Sessions, oldest first.', schema: z.array(UserSession) } },
});

export const endUserSession = operation({
  ...shared,
  id: 'endUserSession',
  method: 'DELETE',
  path: `${path}/sessions/{session}`,
  scope: 'user',
  summary: 'End a session of a user',
  effect: 'destroy',
  params: UserSessionPath,
  responses: { 204: { description: 'The session has ended. Davit refuses further requests with this session.' } },
});

export const listUserConnections = operation({
  ...shared,
  id: 'listUserConnections',
  method: 'GET',
  path: `${path}/connections`,
  scope: 'user',
  summary: 'List the clients that a user connected with OAuth',
  description:
    'Returns the clients, such as AI assistants, that the user connected to Davit with OAuth. These clients can act for the user at the MCP endpoint.',
  effect: 'read',
  params: UserPath,
  query: z.strictObject(paging),
  responses: {
    200: { description: 'Clients that the user connected with OAuth, oldest first.', schema: z.array(Connection) },
  },
});

export const endUserConnection = operation({
  ...shared,
  id: 'endUserConnection',
  method: 'DELETE',
  path: `${path}/connections/{connection}`,
  scope: 'user',
  summary: 'Disconnect a client that a user connected with OAuth',
  effect: 'destroy',
  params: UserConnectionPath,
  responses: {
    204: { description: 'The OAuth access of the client was revoked. Davit refuses further requests of this client.' },
  },
});
