import { type CatalogConfig, makeConfig } from './config.ts';
import { readSettings } from './settings.ts';

/**
 * Returns the configuration from flags, environment variables and defaults, in this order. No other code reads the
 * environment.
 * @throws ConfigInvalid with every invalid setting
 * @throws TypeError for an unknown flag
 */
export function configFromProcess(args: string[]): CatalogConfig {
  const surroundings = { isRoot: process.getuid?.() === 0, xdgDataHome: process.env.XDG_DATA_HOME };
  return makeConfig(readSettings(process.env, args), surroundings);
}
