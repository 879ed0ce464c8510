import { app, job } from './apps.ts';
import { database, store } from './data.ts';
import { anyText, slug, TITLE } from './forms.ts';
import { input } from './inputs.ts';
import { list, type ObjectShape, object, optional, required, text } from './shape.ts';

/**
 * Schema of a template file. It contains all keys of the older Cubeship format, and the keys that only Davit supports.
 */
export const TEMPLATE: ObjectShape = object({
  version: required({ is: 'one' }, 'Version of the template format. Always `1`.', 1),
  name: optional(text({ form: TITLE }), 'Display name of the template.', 'Umami'),
  minCubeship: optional(
    anyText,
    'Version range of Cubeship, the older template format, that the template needs.',
    '>=0.7.0',
  ),
  minVersion: optional(
    anyText,
    'Version range of Davit that the template needs. Required for features that the older format does not have.',
    '>=0.1.0',
  ),
  project: required(slug, 'Suggested name of the project for the installation.', 'umami'),
  environment: optional(
    slug,
    'Suggested name of the environment for the installation. Default: `production`.',
    'production',
  ),
  inputs: optional(list(input), 'Inputs: values that the user enters for the installation.'),
  databases: optional(list(database), 'Databases to create.'),
  stores: optional(list(store), 'Object stores to create.'),
  apps: required(list(app, 1), 'Apps to create.'),
  jobs: optional(list(job), 'Jobs: commands that run during the installation or an update.'),
});
