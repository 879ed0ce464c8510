export { prefersPage, prefersProblem } from './accept.ts';
export { ALREADY_SENT } from './already-sent.ts';
export { ClientGone, readBody } from './body.ts';
export { defaultDataDir } from './data-dir.mjs';
export {
  type DatabaseOptions,
  type DatabaseProblem,
  DatabaseUnusable,
  openDatabase,
  unusable as databaseUnusable,
} from './database.ts';
export { type Encoding, encodingFor, isWorthPacking, type Packing, pack } from './encoding.ts';
export { allowsHost, bareHost, guardedLookup } from './guarded-lookup.ts';
export { JsonRefused, parseJsonObject } from './json.ts';
export {
  type CloseOptions,
  createListener,
  type Listener,
  type ListenerBindings,
  type ListenerOptions,
} from './listener.ts';
export { DataDirTaken, LockUnusable, lockDataDir } from './lock.ts';
export { createLogger, LOG_LEVELS, type Logger, type LoggerOptions, type LogLevel, type LogMethod } from './logger.ts';
export { removeMisnamedMetrics } from './metrics.ts';
export { type AddressRule, openAddresses, ownAddresses } from './open-address.ts';
export { isPortFree } from './port-free.ts';
export { problemOf } from './problem.ts';
export { isPublicAddress, isReservedAddress, METADATA } from './public-address.ts';
export { quote } from './quote.ts';
export type { RawForm, RawStatus } from './raw-answer.ts';
export { createReference, type Reference, type ReferenceFile, type ReferenceOptions } from './reference-page.ts';
export { requestId } from './request-id.ts';
export { responseTo } from './response-to.ts';
export {
  ConfigInvalid,
  flagOf,
  nameOf,
  parseListen,
  parsePort,
  type RawSettings,
  readSettingsOf,
  type Setting,
  type SettingsTable,
  settingsRows,
} from './settings.ts';
export { LONGEST_SOCKET_PATH } from './sockets.ts';
export { isDamage, SQLITE, sqliteCode } from './sqlite-errors.ts';
export { pathOf, queryOf } from './target.ts';
export { unlessAborted } from './unless-aborted.ts';
export type { Upgrade } from './upgrade.ts';
