import type { Logger } from '@davit/service';
import type { Config } from '../config/config.ts';
import type { Adapters } from './adapters.ts';
import type { DaemonOptions } from './options.ts';
import type { State } from './state.ts';

export interface Foundation {
  config: Config;
  state: State;
  adapters: Adapters;
  options: DaemonOptions;
  log: Logger;
}
