/**
 * Texts for the steps of deployments and background tasks. The dashboard and the command line show the same texts. API
 * responses contain the names of the steps.
 */

/** Names of all deployment steps, in their order. A deployment may omit steps. */
export const DEPLOYMENT_STEPS = [
  'resolve',
  'pull',
  'hold',
  'network',
  'release',
  'create',
  'stop-old',
  'start',
  'check',
  'switch',
] as const;
export type DeploymentStepName = (typeof DEPLOYMENT_STEPS)[number];

const DEPLOYMENT_STEP_WORDS: Readonly<Record<DeploymentStepName, string>> = {
  resolve: 'Find the image',
  pull: 'Pull the image',
  hold: 'Protect the image from removal',
  network: 'Prepare the network',
  release: 'Run the release command',
  create: 'Create the replicas',
  'stop-old': 'Stop the old release',
  start: 'Start the new release',
  check: 'Wait for the health check',
  switch: 'Switch the traffic',
};

/** Describes a deployment step for users. Returns the name of a step that has no description. */
export function deploymentStepWords(name: string): string {
  return own(DEPLOYMENT_STEP_WORDS, name) ?? name;
}

const TASK_STEP_WORDS: Readonly<Record<string, string>> = {
  image: 'Get the image',
  volume: 'Create the volume',
  container: 'Create the container',
  ready: 'Wait until the service is ready',
  'set-up': 'Configure the service',
  record: 'Save the settings',
  port: 'Choose the port',
  stop: 'Stop the service',
  publish: 'Publish the address',
  write: 'Write the backup',
  keep: 'Delete backups that exceed the retention',
  load: 'Restore the backup',
  copy: 'Copy the data',
  compare: 'Compare the old and new number of records',
  recover: 'Restore the data of the chosen time',
  'back-up': 'Back up the current data',
  switch: 'Stop the database and exchange its data',
  'new-container': 'Start the database with the new data',
  'new-ready': 'Wait until the database is ready',
  'new-set-up': 'Set up the login and the database',
  'keep-former': 'Move the replaced data to the trash',
  withdraw: 'Disconnect apps and stop the database',
  'former-container': 'Start the old version to copy its data',
  'former-ready': 'Wait until the old version is ready',
  'former-end': 'Stop the old version',
  remove: 'Remove temporary resources',
  login: 'Create new database credentials',
  verify: 'Test the new credentials',
  note: 'Save the new credentials',
  deploy: 'Deploy the apps with the new credentials',
  wait: 'Wait until no app uses the old credentials',
  drop: 'Remove the old credentials',
};

const ROTATING: Readonly<Record<string, string>> = {
  switch: 'Give apps the new credentials',
};

const ADDING_EXTENSIONS: Readonly<Record<string, string>> = {
  available: 'Check that the image contains the extensions',
  record: 'Save the list of extensions',
  add: 'Add the extensions',
};

/** Steps of tasks that replace the container of a database or object store. */
const REPLACING: Readonly<Record<string, string>> = {
  container: 'Replace the container',
};

const STARTING: Readonly<Record<string, string>> = {
  container: 'Start the container',
};

const MAKING: Readonly<Record<string, string>> = {
  project: 'Create the project',
  environment: 'Create the environment',
  databases: 'Create the databases',
  object_stores: 'Create the object stores',
  apps: 'Create the apps',
  variables: 'Attach databases and set variables',
  deploy: 'Deploy the apps',
};

const CHANGING: Readonly<Record<string, string>> = {
  ...MAKING,
  compare: 'Compare the releases',
  apps: 'Change the apps',
  remove: 'Remove unused resources',
};

const REMOVING: Readonly<Record<string, string>> = {
  apps: 'Remove the apps',
  databases: 'Detach the databases',
  object_stores: 'Detach the object stores',
  environment: 'Remove the environment if it is empty',
  project: 'Remove the project if it is empty',
};

const DELETING: Readonly<Record<string, string>> = {
  apps: 'Delete the apps',
  volumes: 'Move the volumes to the trash',
  databases: 'Move the databases to the trash',
  object_stores: 'Remove the object stores',
  project: 'Delete the project and its environments',
};

const WORDS_BY_KIND: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'install.install': MAKING,
  'install.update': CHANGING,
  'install.rollback': CHANGING,
  'install.uninstall': REMOVING,
  'project.delete': DELETING,
  'database.rotate': ROTATING,
  'database.extensions': { ...REPLACING, ...ADDING_EXTENSIONS },
  'database.update': { ...REPLACING, image: 'Choose the new image' },
  'database.restart': REPLACING,
  'database.expose': REPLACING,
  'database.unexpose': { ...REPLACING, port: 'Close the port' },
  'object_store.expose': REPLACING,
  'object_store.unexpose': { ...REPLACING, port: 'Close the port' },
  'database.start': STARTING,
  'database.restore': STARTING,
  'object_store.start': STARTING,
  'object_store.restore': STARTING,
};

/**
 * Returns a function that describes the steps of a kind of background task for users. If a step has no description, the
 * result is its name in readable form.
 */
export function taskStepWords(kind: string): (name: string) => string {
  const words = own(WORDS_BY_KIND, kind) ?? {};
  return (name) => own(words, name) ?? own(TASK_STEP_WORDS, name) ?? readable(name);
}

function readable(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll(/[-_]/g, ' ')}`;
}

/** Returns a text of the record, but no inherited property, because names come from the instance. */
function own<T>(words: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(words, name) ? words[name] : undefined;
}
