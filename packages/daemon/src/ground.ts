import type { Logger } from '@davit/service';
import type { Adapters } from './adapters.ts';
import type { Config } from './config/config.ts';
import type { DaemonOptions } from './daemon.ts';
import type { State } from './state.ts';

/** What an instance is put together from. */
export interface Ground {
  config: Config;
  state: State;
  adapters: Adapters;
  options: DaemonOptions;
  log: Logger;
}
