import { type Config, makeConfig } from './config.ts';
import { readRawSettings } from './settings.ts';

/**
 * Reads the settings of the daemon. Flags override environment variables, and environment variables override defaults.
 * Other code must not read settings from the environment.
 */
export function configFromProcess(args: string[] = process.argv.slice(2)): Config {
  const facts = { isRoot: process.getuid?.() === 0, xdgDataHome: process.env.XDG_DATA_HOME };
  return makeConfig(readRawSettings(process.env, args), facts);
}

/** Returns whether a service manager such as systemd waits for the message that the daemon is ready. */
export function isReadinessAwaited(): boolean {
  return (process.env.NOTIFY_SOCKET ?? '') !== '';
}
