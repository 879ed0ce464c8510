import type { Logger } from '@davit/service';
import type { CatalogConfig } from '../config/config.ts';
import type { Cursors } from '../http/cursor.ts';
import type { Validator } from '../http/validator.ts';
import type { CatalogReader } from '../store/types.ts';
import type { Readmes } from './readme/readme.ts';
import type { Site } from './site.ts';

export interface PagesOptions {
  reader: CatalogReader;
  config: CatalogConfig;
  log: Logger;
  validator: Validator;
}

/** Objects that the handlers of all web pages need, such as the configuration, the logger and the README renderer. */
export interface PageContext extends PagesOptions {
  site: Site;
  cursors: Cursors;
  readmes: Readmes;
}
