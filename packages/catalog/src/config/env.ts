import { type CatalogConfig, makeConfig } from './config.ts';
import { readSettings } from './settings.ts';

/**
 * Returns the catalog configuration from flags, environment variables and defaults, in this order.
 * @throws ConfigInvalid
 * @throws TypeError for an unknown flag
 */
export function configFromProcess(args: string[]): CatalogConfig {
  // No other code of the catalog reads the environment variables of the process.
  const processEnvironment = { isRoot: process.getuid?.() === 0, xdgDataHome: process.env.XDG_DATA_HOME };
  return makeConfig(readSettings(process.env, args), processEnvironment);
}
