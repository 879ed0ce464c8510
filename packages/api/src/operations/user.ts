import { z } from 'zod';
import { operation } from '../operation.ts';
import { ApiKey, Me, User, UserCreate, UserPatch, UserSession, UserWithPassword } from '../schemas/account.ts';
import { PathName } from '../schemas/common.ts';
import { Connection } from '../schemas/oauth.ts';
import { paging } from './parameters.ts';

const tag = 'Users';
const path = '/users/{user}';
const UserPath = z.object({ user: PathName.describe('The username.') });
const UserKeyPath = UserPath.extend({ key: z.string().describe('The key’s number.') });
const UserConnectionPath = UserPath.extend({ connection: z.string().describe('The connection’s number.') });
const UserSessionPath = UserPath.extend({ session: z.string().describe('The session’s number.') });

/** What all but {@link getMe} have in common: only an admin deals with other people’s accounts. */
const shared = { tag, permission: 'administer' } as const;

export const getMe = operation({
  id: 'getMe',
  method: 'GET',
  path: '/users/me',
  tag,
  summary: 'Read who you are',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  responses: { 200: { description: 'The caller, with the rights of the credential that asks.', schema: Me } },
  tool: {},
});

export const listUsers = operation({
  ...shared,
  id: 'listUsers',
  method: 'GET',
  path: '/users',
  scope: 'instance',
  summary: 'List the users',
  description: 'An admin who is limited to some projects sees the users who see no other.',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The users, by name.', schema: z.array(User) } },
});

export const createUser = operation({
  ...shared,
  id: 'createUser',
  method: 'POST',
  path: '/users',
  scope: 'instance',
  summary: 'Create a user',
  description: 'With the rights that you have, at most.',
  effect: 'write',
  body: UserCreate,
  responses: {
    201: { description: 'The user.', schema: UserWithPassword, headers: { Location: 'Where it is.' } },
  },
  errors: ['conflict'],
});

export const getUser = operation({
  ...shared,
  id: 'getUser',
  method: 'GET',
  path,
  scope: 'user',
  summary: 'Read a user',
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
  summary: 'Change a user’s role or projects, block them, or give them a new password',
  description:
    'What is absent stays. It acts on their next request. The last admin of all projects stays one. A new password and a block end the user’s sessions and connected programs. Your own password is changed with `PUT /users/me/password`.',
  effect: 'write',
  params: UserPath,
  body: UserPatch,
  responses: { 200: { description: 'The user.', schema: UserWithPassword } },
  errors: ['conflict'],
});

export const deleteUser = operation({
  ...shared,
  id: 'deleteUser',
  method: 'DELETE',
  path,
  scope: 'user',
  summary: 'Delete a user with their sessions, keys and connected programs',
  effect: 'destroy',
  params: UserPath,
  responses: { 204: { description: 'They are gone.' } },
  errors: ['conflict'],
});

export const listUserKeys = operation({
  ...shared,
  id: 'listUserKeys',
  method: 'GET',
  path: `${path}/api-keys`,
  scope: 'user',
  summary: 'List a user’s API keys',
  effect: 'read',
  params: UserPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'The keys, oldest first, without their secrets.', schema: z.array(ApiKey) } },
});

export const revokeUserKey = operation({
  ...shared,
  id: 'revokeUserKey',
  method: 'DELETE',
  path: `${path}/api-keys/{key}`,
  scope: 'user',
  summary: 'Revoke a user’s API key',
  effect: 'destroy',
  params: UserKeyPath,
  responses: { 204: { description: 'It is refused from the next request on.' } },
});

export const listUserSessions = operation({
  ...shared,
  id: 'listUserSessions',
  method: 'GET',
  path: `${path}/sessions`,
  scope: 'user',
  summary: 'List where a user is signed in',
  effect: 'read',
  params: UserPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'The sessions, oldest first.', schema: z.array(UserSession) } },
});

export const endUserSession = operation({
  ...shared,
  id: 'endUserSession',
  method: 'DELETE',
  path: `${path}/sessions/{session}`,
  scope: 'user',
  summary: 'End a user’s session',
  effect: 'destroy',
  params: UserSessionPath,
  responses: { 204: { description: 'It is refused from the next request on.' } },
});

export const listUserConnections = operation({
  ...shared,
  id: 'listUserConnections',
  method: 'GET',
  path: `${path}/connections`,
  scope: 'user',
  summary: 'List a user’s connected programs',
  description: 'Programs that the user let in through a browser. They have access to the MCP endpoint.',
  effect: 'read',
  params: UserPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'The connections, oldest first.', schema: z.array(Connection) } },
});

export const endUserConnection = operation({
  ...shared,
  id: 'endUserConnection',
  method: 'DELETE',
  path: `${path}/connections/{connection}`,
  scope: 'user',
  summary: 'Disconnect a user’s program',
  effect: 'destroy',
  params: UserConnectionPath,
  responses: { 204: { description: 'The program is refused from its next request on.' } },
});
