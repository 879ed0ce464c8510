import { operations } from '@davit/api';
import {
  endUserConnection,
  endUserSession,
  listUserConnections,
  listUserKeys,
  listUserSessions,
  revokeUserKey,
} from '../../resources/users/credentials.ts';
import { createUser, deleteUser, listUsers, patchUser, readMe, readUser } from '../../resources/users/user.ts';
import { type Binding, bind, created, noContent, ok, paged } from '../bind.ts';
import type { HttpDeps } from '../deps.ts';

export const userRoutes = (core: HttpDeps): Binding[] => [
  bind(operations.getMe, ({ ctx }) => ok(readMe(core, ctx))),
  bind(operations.listUsers, ({ ctx, query }) => paged(listUsers(core, ctx, query))),
  bind(operations.createUser, async ({ ctx, body }) => {
    const user = await createUser(core, ctx, body);
    return created(user, `/api/users/${user.username}`);
  }),
  bind(operations.getUser, ({ ctx, target }) => ok(readUser(core, ctx, target))),
  bind(operations.patchUser, async ({ ctx, target, body }) => ok(await patchUser(core, ctx, target, body))),
  bind(operations.deleteUser, ({ ctx, target }) => {
    deleteUser(core, ctx, target);
    return noContent();
  }),
  bind(operations.listUserKeys, ({ ctx, target, query }) => paged(listUserKeys(core, ctx, target, query))),
  bind(operations.revokeUserKey, ({ ctx, target, params }) => {
    revokeUserKey(core, ctx, target, params.key);
    return noContent();
  }),
  bind(operations.listUserSessions, ({ ctx, target, query }) => paged(listUserSessions(core, ctx, target, query))),
  bind(operations.endUserSession, ({ ctx, target, params }) => {
    endUserSession(core, ctx, target, params.session);
    return noContent();
  }),
  bind(operations.listUserConnections, ({ ctx, target, query }) =>
    paged(listUserConnections(core, ctx, target, query)),
  ),
  bind(operations.endUserConnection, ({ ctx, target, params }) => {
    endUserConnection(core, ctx, target, params.connection);
    return noContent();
  }),
];
