export { type ClientHost, startClientHost } from './client-host.ts';
export { type Answer, checkAnswer } from './contract.ts';
export { ADMIN, type BootOptions, bootDaemon, type TestDaemon } from './daemon.ts';
export { EventReader, type ReceivedEvent, readEvents } from './events.ts';
export {
  app,
  appFieldsOf,
  database,
  databaseParams,
  deployedApp,
  keyFor,
  paramsOf,
  project,
  slug,
  type TestUser,
  user,
} from './factories.ts';
export { cookieOf, type Sending, send, sendBytes } from './http.ts';
export { SEEDED, seed } from './seed.ts';
export { DATA, databaseAt, seedData } from './seed-data.ts';
export { LateClock, seedHistory, Visitors } from './seed-history.ts';
export { PUSHED, pushed, seedRegistry } from './seed-registry.ts';
export { signIn } from './sign-in.ts';
