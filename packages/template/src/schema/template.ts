import { app, job } from './apps.ts';
import { database, store } from './data.ts';
import { anyText, slug, TITLE } from './forms.ts';
import { input } from './inputs.ts';
import { list, type ObjectShape, object, optional, required, text } from './shape.ts';

/** The complete format: the older format and all additions. */
export const TEMPLATE: ObjectShape = object({
  version: required({ is: 'one' }, 'Always the number 1.', 1),
  name: optional(text({ form: TITLE }), 'What it is called for people.', 'Umami'),
  minCubeship: optional(anyText, 'The versions of the older format it needs.', '>=0.7.0'),
  minVersion: optional(
    anyText,
    'The versions of Davit it needs; with anything the older format does not have.',
    '>=0.1.0',
  ),
  project: required(slug, 'The project that is suggested to install it into.', 'umami'),
  environment: optional(slug, 'The environment that is suggested; `production` unless said.', 'production'),
  inputs: optional(list(input), 'What the person who installs it is asked.'),
  databases: optional(list(database), 'Databases that are made for it.'),
  stores: optional(list(store), 'Object stores that are made for it.'),
  apps: required(list(app, 1), 'What runs.'),
  jobs: optional(list(job), 'Commands that run once to their end.'),
});
